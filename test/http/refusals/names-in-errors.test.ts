import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { everyVersion } from '../every-version.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const serviceAccounts = '/api/v1/namespaces/default/serviceaccounts';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

describe('refusals and what is kept of references', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ ...everyVersion, store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  for (const group of ['', 'events.k8s.io']) {
    it(`an Event of the group '${group}' is refused as one of the core group`, async () => {
      const root = group === '' ? '/api/v1' : '/apis/events.k8s.io/v1beta1';
      const elsewhere = { namespace: 'other' };
      const event = { metadata: { name: 'e' }, [group === '' ? 'involvedObject' : 'regarding']: elsewhere };
      const refused = await request(server, 'POST', `${root}/namespaces/default/events`, event);
      assert.equal(refused.status, 422);
      assert.match(stringAt(bodyOf(refused), 'message'), /^Event "e" is invalid/);
      assert.equal('group' in objectAt(bodyOf(refused), 'details'), false);
    });
  }

  it('labels of the pods of a Job that are missing are reported once, and unreadable selectors by their terms', async () => {
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
    assert.equal((await request(server, 'POST', jobs, { metadata: { name: 'j' }, spec })).status, 201);
    const change = { spec: { template: { metadata: { labels: { 'job-name': null } } } } };
    const updated = await request(server, 'PATCH', `${jobs}/j`, change, mergePatch);
    assert.deepEqual(fieldsOf(updated), ['spec.template.metadata.labels[job-name]', 'spec.template']);
    const unread = { ...spec, selector: { matchExpressions: [{ key: 'a' }] } };
    const created = await request(server, 'POST', jobs, { metadata: { name: 'k' }, spec: unread });
    assert.deepEqual(fieldsOf(created), ['spec.selector.matchExpressions[0].operator']);
  });

  it('a ServiceAccount keeps the names of its secrets alone', async () => {
    const secrets = [{ kind: 'Secret', name: 'a', uid: 'u' }, { namespace: 'other' }];
    const created = await request(server, 'POST', serviceAccounts, { metadata: { name: 's' }, secrets });
    assert.deepEqual(objectsAt(bodyOf(created), 'secrets'), [{ name: 'a' }, {}]);
    const more = { secrets: [{ name: 'b', fieldPath: 'x' }] };
    const updated = await request(server, 'PATCH', `${serviceAccounts}/s`, more, mergePatch);
    assert.deepEqual(objectsAt(bodyOf(updated), 'secrets'), [{ name: 'b' }]);
  });
});

function bodyOf({ body, text }: HttpResponse): JsonObject {
  assert.ok(isJsonObject(body as JsonObject), text);
  return body as JsonObject;
}

function fieldsOf(response: HttpResponse): readonly string[] {
  return objectsAt(objectAt(bodyOf(response), 'details'), 'causes').map((cause) => stringAt(cause, 'field'));
}
