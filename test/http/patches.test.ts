import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const templates = '/api/v1/namespaces/default/podtemplates';
const types = {
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

describe('patches of what is not there', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  let serial = 0;

  /** Makes a template, and patches it. */
  async function patched(type: keyof typeof types, patch: JsonValue): Promise<HttpResponse> {
    const name = `patched-${++serial}`;
    const metadata = { name, annotations: { a: '1' } };
    const containers = [{ name: 'c', image: 'i', args: ['x', 'y', 'z'] }];
    const template: JsonObject = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata,
      template: { spec: { containers } },
    };
    const created = await request(server, 'POST', templates, template);
    assert.equal(created.status, 201, created.text);
    return request(server, 'PATCH', `${templates}/${name}`, patch, { 'content-type': types[type] });
  }

  function object({ status, text, body }: HttpResponse): JsonObject {
    assert.equal(status, 200, text);
    // Every answer of 200 here is a template.
    return body as JsonObject;
  }

  const firstContainer = (response: HttpResponse): JsonObject =>
    objectsAt(objectAt(object(response), 'template', 'spec'), 'containers')[0] ?? {};

  it('copies a missing annotation as an empty one', async () => {
    const response = await patched('json', [
      { op: 'copy', from: '/metadata/annotations/zork', path: '/metadata/annotations/b' },
    ]);
    assert.deepEqual(objectAt(object(response), 'metadata', 'annotations'), { a: '1', b: '' });
  });

  it('does not copy what is below something missing', async () => {
    const copy = { op: 'copy', from: '/metadata/zork/a', path: '/metadata/annotations/b' };
    assert.equal((await patched('json', [copy])).status, 422);
  });

  it('takes any spelling of an index', async () => {
    const args = '/template/spec/containers/00/args';
    const response = await patched('json', [
      { op: 'replace', path: `${args}/01`, value: 'two' },
      { op: 'add', path: `${args}/-1`, value: 'last' },
      { op: 'remove', path: `${args}/-4` },
    ]);
    assert.deepEqual(stringsAt(firstContainer(response), 'args'), ['two', 'z', 'last']);
  });

  it('makes an empty label of null in a strategic patch of an object without labels', async () => {
    const response = await patched('strategic', {
      metadata: { labels: { a: null, b: 'x' }, annotations: { a: null } },
    });
    assert.deepEqual(objectAt(object(response), 'metadata', 'labels'), { a: '', b: 'x' });
    assert.deepEqual(objectAt(object(response), 'metadata', 'annotations'), {});
  });

  it('refuses a directive in a new map, where it would be a label', async () => {
    const response = await patched('strategic', { metadata: { labels: { $patch: 'replace', b: 'x' } } });
    assert.equal(response.status, 422);
    assert.match(response.text, /metadata\.labels: Invalid value: \\"\$patch\\"/);
  });

  it('adds the items of a new list, those to be deleted too', async () => {
    const ports = [{ containerPort: 80, $patch: 'delete' }];
    const response = await patched('strategic', { template: { spec: { containers: [{ name: 'c', ports }] } } });
    assert.deepEqual(objectsAt(firstContainer(response), 'ports'), [{ containerPort: 80, protocol: 'TCP' }]);
  });

  it('empties a list that does not merge by an empty list of scalars to take out', async () => {
    const container = { name: 'c', '$deleteFromPrimitiveList/args': [] };
    const response = await patched('strategic', { template: { spec: { containers: [container] } } });
    assert.equal(firstContainer(response)['args'], undefined);
  });
});
