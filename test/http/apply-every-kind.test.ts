import assert from 'node:assert/strict';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../src/meta/json-value.ts';
import { getMeta, nameOf, resourceVersionOf } from '../../src/meta/object-meta.ts';
import { builtInCatalogue } from '../../src/catalogue/definitions.ts';
import type { ResourceDefinition } from '../../src/registry/definition/resource-definition.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { minimalObject } from './minimal-objects.ts';
import { settle } from './settle.ts';
import { everyVersion } from './every-version.ts';

const identifiers = identifiersOf('cluster');
const applyType = { 'content-type': 'application/apply-patch+yaml' };
const strategicType = { 'content-type': 'application/strategic-merge-patch+json' };

/** Every version of every stored resource: each has a schema of its own. */
const cases = builtInCatalogue(identifiers)
  .current.resources.filter((info) => info.storage !== undefined)
  .flatMap((info) => info.versions.map(({ version }) => ({ info, version })));

describe('every kind, applied in every version', () => {
  let server: TestServer;
  before(async () => {
    // Fair queuing writes the statuses of flow schemas: the only writes here are those of the test.
    server = await startServer({ ...everyVersion, store: 'memory', priorityAndFairness: false });
  });
  after(() => server.stop());

  for (const { info, version } of cases) {
    it(`${info.group || 'core'}/${version} ${info.resource}: is created, keeps its version, and merges`, async () => {
      // Two groups may serve one object.
      const name = `applied-${info.group.split('.')[0] || 'core'}-${version}`;
      const object = minimalObject(info, identifiers, name, version);
      const path = `${collectionPath(info, version)}/${nameOf(object)}`;
      const apply = (): Promise<JsonObject> => send('PATCH', `${path}?fieldManager=me`, object, applyType);

      const created = await apply();
      // Who applies nothing is no manager; the next apply then says whose the object was before.
      if (getMeta(created, 'managedFields') === undefined) await apply();
      const first = await settle(server, info, path);
      const managers = getMeta(first, 'managedFields');
      const second = await apply();
      assert.equal(resourceVersionOf(second), resourceVersionOf(first), 'a second apply writes nothing');
      assert.deepEqual(getMeta(second, 'managedFields'), managers);

      // What is there, sent as a patch, changes nothing either.
      const read = await send('GET', path);
      const patched = await send('PATCH', path, read, strategicType);
      assert.equal(resourceVersionOf(patched), resourceVersionOf(first), 'a patch with itself writes nothing');
    });
  }

  async function send(method: string, path: string, body?: JsonObject, headers?: Record<string, string>) {
    const response = await request(server, method, path, body, headers);
    assert.ok(response.status === 200 || response.status === 201, response.text);
    const object: unknown = response.body;
    // Every answer here is a JSON document of the API.
    const value = object as JsonObject;
    assert.ok(isJsonObject(value));
    return value;
  }
});

function collectionPath(info: ResourceDefinition, version: string): string {
  const root = info.group === '' ? `/api/${version}` : `/apis/${info.group}/${version}`;
  return info.namespaced ? `${root}/namespaces/default/${info.resource}` : `${root}/${info.resource}`;
}
