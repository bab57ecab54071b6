import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { parseRuntimeConfig } from '../../../src/catalogue/runtime-config.ts';
import { servedDefinitions, type ServedApi } from '../../../src/catalogue/served-definitions.ts';
import { featuresOf } from '../../../src/config/feature-gates.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { getMeta, nameOf } from '../../../src/meta/object-meta.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { type ApiRelease, apiReleases, isSince } from '../../../src/scheme/api-release.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { formatApiVersion } from '../../../src/meta/group-version-kind.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import type { StoredValue } from '../../../src/storage/port/object-store.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { everyCase } from '../../every-case.ts';
import { readEvents, request } from '../http-client.ts';
import { minimalObject } from '../minimal-objects.ts';
import { until } from '../until.ts';
import { populatedObject } from './populated-object.ts';
import { everythingOn, type ReleaseServer, startRelease, valuesOf } from './release-server.ts';

const identifiers = identifiersOf('cluster');
const builtIn = builtInDefinitions(identifiers);
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

/** Where the newest releases met the older ones, and each release whose kinds moved most; `EVERY_CASE` has all pairs. */
const selected: readonly (readonly [written: ApiRelease, read: ApiRelease])[] = [
  ['1.24', '1.36'],
  ['1.36', '1.24'],
  ['1.32', '1.35'],
];
const recent = apiReleases.filter((release) => isSince(release, '1.24'));
const earlier = apiReleases.filter((release) => !isSince(release, '1.24'));
const pairs = everyCase
  ? [
      ...recent.flatMap((written) => recent.map((read) => [written, read] as const)),
      ...earlier.flatMap((release) => [[release, '1.36'] as const, ['1.36', release] as const]),
    ]
  : selected;

/** An object in the store, and how each version of its kind showed it. */
interface WrittenObject {
  readonly definition: ResourceDefinition;
  readonly name: string;
  /** By version. */
  readonly shown: ReadonlyMap<string, JsonObject>;
}

interface WrittenStore {
  readonly values: readonly StoredValue[];
  readonly objects: readonly WrittenObject[];
}

function definitionsOf(
  release: ApiRelease,
  { featureGates, runtimeConfig }: typeof everythingOn = everythingOn,
): readonly ResourceDefinition[] {
  const features = featuresOf({ featureGates, emulatedRelease: release, emulationForwardCompatible: false });
  const surface: ServedApi = {
    release,
    forwardCompatible: false,
    isFeatureEnabled: features.isEnabled,
    runtimeConfig: parseRuntimeConfig(runtimeConfig, builtIn).config,
    namesLaterVersions: false,
  };
  return servedDefinitions(builtIn, surface).filter(({ storage }) => storage !== undefined);
}

function collectionPath({ group, resource, namespaced }: ResourceDefinition, version: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${formatApiVersion(group, version)}`;
  return `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

/** Kinds whose objects a server makes of others or keeps itself, so that no object of a story stays as it is. */
const ownKinds: ReadonlySet<string> = new Set(['ComponentStatus', 'APIService']);

describe('objects that one release has written', () => {
  const filled = new Map<string, JsonObject>();
  const stores = new Map<ApiRelease, Promise<WrittenStore>>();
  before(async function () {
    this.timeout(1_800_000);
    if (everyCase) await fillObjects(filled);
  });

  for (const [written, read] of pairs) {
    it(`(${written}) are read, changed and deleted by ${read}`, async function () {
      this.timeout(600_000);
      const store = stores.get(written) ?? writeAll(written, filled);
      stores.set(written, store);
      assert.deepEqual(await problemsAt(read, await store, everythingOn), []);
    });
  }

  if (everyCase) {
    it('with all features keep them at a server without the features', async function () {
      this.timeout(600_000);
      const store = stores.get('1.36') ?? writeAll('1.36', filled);
      assert.deepEqual(await problemsAt('1.36', await store, featuresOff), []);
    });
  }
});

/** What goes wrong with the objects of a store at a server of a release. */
async function problemsAt(
  release: ApiRelease,
  { values, objects }: WrittenStore,
  options: typeof everythingOn,
): Promise<readonly string[]> {
  await using opened = await startRelease(release, values, options);
  const definitions = definitionsOf(release, options);
  const problems: string[] = [];
  for (const object of objects) problems.push(...(await problemsOf(opened, definitions, object)));
  return problems;
}

/** No feature that is not on for good. */
const featuresOff = { ...everythingOn, featureGates: ['AllAlpha=false', 'AllBeta=false'] };

/** The minimal object of each kind with all that the newest release accepts beside it. */
async function fillObjects(filled: Map<string, JsonObject>): Promise<void> {
  await using newest = await startRelease('1.36');
  const templates = new Map<string, JsonObject>();
  for (const definition of definitionsOf('1.36').toSorted(
    (a, b) => Number(b.resource === 'pods') - Number(a.resource === 'pods'),
  )) {
    const version = definition.versions[0];
    if (!version || ownKinds.has(definition.kind) || !version.verbs.includes('create')) continue;
    const minimal = minimalObject(
      definition,
      identifiers,
      `written-${definition.shortGroup.split('.')[0] || 'core'}`,
      version.version,
    );
    const path = `${collectionPath(definition, version.version)}?dryRun=All`;
    const accepts = async (object: JsonObject): Promise<boolean> =>
      (await request(newest.server, 'POST', path, object)).status === 201;
    const object = await populatedObject(version.schema(), minimal, { accepts, templates });
    filled.set(`${definition.group}/${definition.kind}`, object);
  }
}

/** Creates an object of each kind at a server of a release, and reads it in each of its versions. */
async function writeAll(release: ApiRelease, filled: ReadonlyMap<string, JsonObject>): Promise<WrittenStore> {
  await using opened = await startRelease(release);
  const { server, store } = opened;
  const objects: WrittenObject[] = [];
  for (const definition of definitionsOf(release)) {
    const [version] = definition.versions;
    if (!version || ownKinds.has(definition.kind) || !version.verbs.includes('create')) continue;
    const minimal = minimalObject(
      definition,
      identifiers,
      `written-${definition.shortGroup.split('.')[0] || 'core'}`,
      version.version,
    );
    const whole = filled.get(`${definition.group}/${definition.kind}`);
    const collection = collectionPath(definition, version.version);
    const name = nameOf(minimal);
    const exists = await request(server, 'GET', `${collection}/${name}`);
    if (exists.status !== 200)
      await createAny(server, collection, [whole && { ...whole, apiVersion: minimal['apiVersion'] ?? '' }, minimal]);
    const shown = new Map<string, JsonObject>();
    for (const row of definition.versions) {
      const path = `${collectionPath(definition, row.version)}/${name}`;
      shown.set(row.version, objectOf(await request(server, 'GET', path), 200));
    }
    objects.push({ definition, name, shown });
  }
  return { values: await valuesOf(store), objects };
}

/** Creates the first of some objects that the release accepts. */
async function createAny(
  server: TestServer,
  collection: string,
  objects: readonly (JsonObject | undefined)[],
): Promise<void> {
  let text = '';
  for (const object of objects) {
    if (!object) continue;
    const created = await request(server, 'POST', `${collection}?fieldValidation=Ignore`, object);
    if (created.status === 201) return;
    text = created.text;
  }
  throw new assert.AssertionError({ message: `${collection}: ${text}` });
}

function objectOf({ status, body, text }: Awaited<ReturnType<typeof request>>, expected: number): JsonObject {
  assert.equal(status, expected, text);
  const object = body as JsonObject;
  assert.ok(isJsonObject(object), text);
  return object;
}

/** What goes wrong with an object at a server of another release. */
async function problemsOf(
  opened: ReleaseServer,
  definitions: readonly ResourceDefinition[],
  written: WrittenObject,
): Promise<readonly string[]> {
  const { group, kind, resource } = written.definition;
  const definition = definitions.find((one) => one.group === group && one.resource === resource);
  if (!definition) return [];
  try {
    await readEverywhere(opened.server, definition, written);
    await watchIt(opened.server, definition, written);
    await changeIt(opened, definition, written);
    return [];
  } catch (error) {
    return [`${group} ${kind}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Every version shows what both releases know, in a get, a list and a Table. */
async function readEverywhere(
  server: TestServer,
  definition: ResourceDefinition,
  { name, shown: written }: WrittenObject,
): Promise<void> {
  for (const row of definition.versions) {
    const collection = collectionPath(definition, row.version);
    const read = objectOf(await request(server, 'GET', `${collection}/${name}`), 200);
    const before = written.get(row.version);
    if (before) {
      const shown = known(definition, row.version, read);
      const expected = withDefaultsOf(known(definition, row.version, before), shown);
      assert.deepEqual(shown, expected, `${row.version}: only defaults of the release are added`);
    }
    const list = objectOf(await request(server, 'GET', collection), 200);
    const items = (Array.isArray(list['items']) ? list['items'] : []).filter(isJsonObject);
    const item = items.find((one) => nameOf(one) === name);
    assert.deepEqual(
      { ...item, kind: read['kind'], apiVersion: read['apiVersion'] },
      { ...read },
      `${row.version} list`,
    );
    const table = await request(server, 'GET', collection, undefined, {
      accept: `application/json;as=Table;v=v1;g=meta.${identifiers.apiDomain}`,
    });
    assert.equal(table.status, 200, table.text);
  }
}

/** The part of an object that a release knows in a version. */
function known(definition: ResourceDefinition, version: string, object: JsonObject): JsonObject {
  const row = definition.versions.find((one) => one.version === version);
  const { metadata, status: _status, ...rest } = row ? decodeObject(row.schema(), object).value : object;
  const { labels, annotations, uid, creationTimestamp, name } = isJsonObject(metadata) ? metadata : {};
  // Annotations of older versions have fields of newer ones, whose later parts a release drops as it drops fields.
  const own = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith('autoscaling.alpha.'));
  return {
    ...rest,
    metadata: { name, uid, creationTimestamp, labels, annotations: Object.fromEntries(own) } as JsonObject,
  };
}

async function watchIt(server: TestServer, definition: ResourceDefinition, { name }: WrittenObject): Promise<void> {
  const [version] = definition.versions;
  const selector = encodeURIComponent(`metadata.name=${name}`);
  const watch = readEvents(
    server,
    `${collectionPath(definition, version?.version ?? '')}?watch=1&fieldSelector=${selector}`,
  );
  try {
    await until('the object in a watch', () => watch.events.some(({ object }) => object.metadata.name === name));
  } finally {
    watch.stop();
  }
}

/** Label, apply and replace change nothing that the release knows; the object is then in its version, and can be deleted. */
async function changeIt(
  { server, store }: ReleaseServer,
  definition: ResourceDefinition,
  { name }: WrittenObject,
): Promise<void> {
  const [version] = definition.versions;
  assert.ok(version);
  const path = `${collectionPath(definition, version.version)}/${name}`;
  const before = objectOf(await request(server, 'GET', path), 200);
  const label = { metadata: { labels: { story: 'patched' } } };
  const patched = objectOf(await request(server, 'PATCH', path, label, mergePatch), 200);
  const content = contentOf(definition, version.version, before);
  const added = contentOf(definition, version.version, patched);
  assert.deepEqual(withDefaultsOf(content, added), added, 'a patch of labels only adds defaults of the release');
  const applied = {
    apiVersion: before['apiVersion'],
    kind: definition.kind,
    metadata: { name, labels: { applied: 'yes' } },
  };
  const after = objectOf(await request(server, 'PATCH', `${path}?fieldManager=story&force=true`, applied, apply), 200);
  assert.deepEqual(contentOf(definition, version.version, after), added, 'an apply of labels');
  assert.deepEqual(getMeta(after, 'labels'), {
    ...Object(getMeta(before, 'labels')),
    applied: 'yes',
    story: 'patched',
  });
  objectOf(await request(server, 'PUT', path, after), 200);
  await checkStored(store, definition, name);
  const gone = await request(server, 'DELETE', `${path}?propagationPolicy=Background&gracePeriodSeconds=0`);
  assert.ok(gone.status === 200 || gone.status === 202, gone.text);
}

/** The object with what another one has besides. */
function withDefaultsOf(object: JsonValue, other: JsonValue | undefined): JsonValue {
  if (Array.isArray(object) && Array.isArray(other))
    return object.map((item, index) => withDefaultsOf(item, other[index]));
  if (!isJsonObject(object) || !isJsonObject(other)) return object;
  const own = Object.entries(object).map(([name, value]) => [name, withDefaultsOf(value, other[name])] as const);
  return { ...other, ...Object.fromEntries(own) };
}

function contentOf(definition: ResourceDefinition, version: string, object: JsonObject): JsonObject {
  const { metadata: _metadata, ...rest } = known(definition, version, object);
  return rest;
}

/** The store has the object in the version in which the release writes it. */
async function checkStored(store: ReleaseServer['store'], definition: ResourceDefinition, name: string): Promise<void> {
  const { storage } = definition;
  assert.ok(storage);
  const { current } = await store.get(objectKey('/registry', storage, definition.namespaced ? 'default' : '', name));
  assert.ok(current, 'its key');
  const { group, version } = storage.writtenAs ?? storage;
  const head = Buffer.from(current.value).toString('latin1', 0, 300);
  assert.ok(head.includes(`"apiVersion":"${formatApiVersion(group, version)}"`), `stored as ${head.slice(0, 80)}`);
}
