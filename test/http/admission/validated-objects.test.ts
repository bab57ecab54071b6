import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { everyVersion } from '../every-version.ts';
import { request } from '../http-client.ts';
import { minimalObject } from '../minimal-objects.ts';
import { rule, startWebhookWorld, type WebhookWorld } from './webhook-world.ts';

const identifiers = identifiersOf('cluster');

/** No webhook decides on these. */
const exempt = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
]);

/** The gate of a status that the newest release does not know any more. */
const givenUp = 'NetworkPolicyStatus';

const stored = builtInCatalogue(identifiers).current.resources.filter(({ storage }) => storage !== undefined);

const cases = stored
  .filter(({ resource }) => !exempt.has(resource))
  .flatMap((info) => info.versions.map((version) => ({ info, version })));

describe('what a validating webhook sees of every kind, in every version, is stored', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await startWebhookWorld({ ...everyVersion, priorityAndFairness: false });
    await world.configure('validating', 'all', { name: 'v', rules: [rule('*', '*/*')], matchPolicy: 'Exact' });
  });
  after(() => world[Symbol.asyncDispose]());

  for (const { info, version } of cases) {
    it(`${info.group || 'core'}/${version.version} ${info.resource}`, async () => {
      const object = minimalObject(info, identifiers, `seen-${version.version}`, version.version);
      const collection = collectionPath(info, version.version);
      const path = `${collection}/${nameOf(object)}`;
      await expectSeen('POST', collection, { ...object, status: {} });
      await expectSeen('PATCH', path, { metadata: { labels: { seen: 'yes' } } });
      if (version.subresources.some(({ name, lifecycle }) => name === 'status' && lifecycle?.gate !== givenUp)) {
        await expectSeen('PATCH', `${path}/status`, { metadata: { annotations: { seen: 'yes' } } });
      }
      // Other groups and versions have the same kinds.
      await request(world.server, 'DELETE', path, { gracePeriodSeconds: 0 });
    });
  }

  it('do not apply to the configuration of admission, which could not be fixed otherwise', async () => {
    world.seen.length = 0;
    const configuration = stored.filter(({ resource }) => exempt.has(resource));
    assert.equal(configuration.length, exempt.size);
    for (const info of configuration) {
      const object = minimalObject(info, identifiers, 'unseen', 'v1');
      const created = await request(world.server, 'POST', collectionPath(info, 'v1'), object);
      assert.equal(created.status, 201, created.text);
      await request(world.server, 'DELETE', `${collectionPath(info, 'v1')}/unseen`);
    }
    assert.deepEqual(
      world.seen.filter(({ request: { userInfo } }) => userInfo['username'] === 'admin'),
      [],
    );
  });

  async function expectSeen(method: string, path: string, body: JsonObject): Promise<void> {
    world.seen.length = 0;
    const type = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
    const { status, body: answer, text } = await request(world.server, method, path, body, { 'content-type': type });
    assert.ok(status === 200 || status === 201, text);
    const seen = world.seen.findLast(({ request: { userInfo } }) => userInfo['username'] === 'admin');
    assert.deepEqual(withoutVersion(seen?.request.object), withoutVersion(answer), `${method} ${path}`);
  }
});

/** An object without its version, and with null for empty lists, which are stored as null. */
function withoutVersion(object: unknown): JsonObject {
  const text = JSON.stringify(object, (_, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? null : value,
  );
  const value = JSON.parse(text) as JsonObject;
  assert.ok(isJsonObject(value) && isJsonObject(value['metadata']));
  delete value['metadata']['resourceVersion'];
  return value;
}

function collectionPath({ group, resource, namespaced }: ResourceDefinition, version: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}
