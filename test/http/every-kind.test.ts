import assert from 'node:assert/strict';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../src/meta/json-value.ts';
import { builtInCatalogue } from '../../src/catalogue/definitions.ts';
import type { ResourceDefinition, VersionDefinition } from '../../src/registry/definition/resource-definition.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, readEvents, request } from './http-client.ts';
import { minimalObject } from './minimal-objects.ts';
import { settle } from './settle.ts';
import { until } from './until.ts';
import { everyVersion } from './every-version.ts';

const identifiers = identifiersOf('cluster');
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** Every version of every stored resource: each is a way for clients to write and read. */
const cases = builtInCatalogue(identifiers)
  .current.resources.filter((info) => info.storage !== undefined)
  .flatMap((info) => info.versions.map((version) => ({ info, version })));

describe('every kind, in every version', () => {
  let server: TestServer;
  before(async () => {
    // Fair queuing writes the statuses of flow schemas: the only writes here are those of the story.
    server = await startServer({ ...everyVersion, store: 'memory', priorityAndFairness: false });
  });
  after(() => server.stop());

  for (const { info, version } of cases) {
    it(`${info.group || 'core'}/${version.version} ${info.resource}: from create to gone`, async () => {
      await liveOnce(server, info, version);
    });
  }
});

async function liveOnce(server: TestServer, info: ResourceDefinition, version: VersionDefinition): Promise<void> {
  const object = minimalObject(info, identifiers, `story-${version.version}`, version.version);
  const collection = collectionPath(info, version.version);
  const path = `${collection}/${nameOf(object)}`;

  const created = expectStatus(await request(server, 'POST', collection, object), 201);
  assert.equal(created['kind'], info.kind);
  assert.equal(created['apiVersion'], object['apiVersion']);
  assert.match(textOf(metadataOf(created), 'uid'), /^[0-9a-f-]{36}$/);

  const read = await settle(server, info, path);
  if (info.resource !== 'customresourcedefinitions') assert.deepEqual(read, created);

  const list = expectStatus(await request(server, 'GET', collection), 200);
  assert.equal(list['kind'], info.listKind);
  assert.ok(namesIn(list).includes(nameOf(object)));

  const resourceVersion = textOf(metadataOf(read), 'resourceVersion');
  const selector = encodeURIComponent(`metadata.name=${nameOf(object)}`);
  const watch = readEvents(
    server,
    `${collection}?watch=1&resourceVersion=${resourceVersion}&fieldSelector=${selector}`,
  );
  try {
    const labelled = { ...read, metadata: { ...metadataOf(read), labels: { story: 'update' } } };
    const updated = expectStatus(await request(server, 'PUT', path, labelled), 200);
    assert.equal(textOf(labelsOf(updated), 'story'), 'update');

    const change = { metadata: { labels: { story: 'patch' } } };
    const patched = expectStatus(await request(server, 'PATCH', path, change, mergePatch), 200);
    assert.equal(textOf(labelsOf(patched), 'story'), 'patch');

    // Some kinds would else wait for the collector to let their dependents go.
    expectStatus(await request(server, 'DELETE', `${path}?propagationPolicy=Background`), 200);
    await letGo(server, path, info);
    await until('the watch to have seen it all', () => watch.events.at(-1)?.type === 'DELETED');
    const types = watch.events.map((event) => event.type);
    assert.deepEqual(types.slice(0, 2), ['MODIFIED', 'MODIFIED']);
    assert.ok(watch.events.every((event) => event.object['kind'] === info.kind));
  } finally {
    watch.stop();
  }
  assert.equal((await request(server, 'GET', path)).status, 404);
}

/** A namespace goes when whoever empties it has said so, and storage when whoever knows its users has. */
async function letGo(server: TestServer, path: string, info: ResourceDefinition): Promise<void> {
  if (/^persistentvolume(claim)?s$/.test(info.resource)) {
    expectStatus(await request(server, 'PATCH', path, { metadata: { finalizers: null } }, mergePatch), 200);
  }
  if (info.resource !== 'namespaces') return;
  const terminating = expectStatus(await request(server, 'GET', path), 200);
  assert.deepEqual(terminating['status'], { phase: 'Terminating' });
  expectStatus(await request(server, 'PUT', `${path}/finalize`, { ...terminating, spec: { finalizers: [] } }), 200);
}

function collectionPath(info: ResourceDefinition, version: string): string {
  const root = info.group === '' ? `/api/${version}` : `/apis/${info.group}/${version}`;
  return info.namespaced ? `${root}/namespaces/default/${info.resource}` : `${root}/${info.resource}`;
}

function expectStatus(response: HttpResponse, status: number): JsonObject {
  assert.equal(response.status, status, response.text);
  // Every answer here is a JSON document of the API.
  const body = response.body as JsonObject;
  assert.ok(isJsonObject(body));
  return body;
}

function objectOf(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function metadataOf(object: JsonObject): JsonObject {
  return objectOf(object, 'metadata');
}

function labelsOf(object: JsonObject): JsonObject {
  return objectOf(metadataOf(object), 'labels');
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

function nameOf(object: JsonObject): string {
  return textOf(metadataOf(object), 'name');
}

function namesIn(list: JsonObject): string[] {
  const { items } = list;
  return Array.isArray(items) ? items.filter(isJsonObject).map(nameOf) : [];
}
