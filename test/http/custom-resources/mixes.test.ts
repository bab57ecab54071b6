import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { openWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';
import { type ConversionWorld, gear, gears, gearsDefinition, startConversionWorld } from './conversion-world.ts';
import { define } from './widgets.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

/** Each version selects its own field and has a rule over it. */
function mixedDefinition(definition: JsonObject): JsonObject {
  const spec = objectAt(definition, 'spec');
  const versions = objectsAt(spec, 'versions').map((version) => {
    const field = version['name'] === 'v1' ? 'size' : 'width';
    const schema = objectAt(version, 'schema', 'openAPIV3Schema');
    const properties = objectAt(schema, 'properties');
    const rules = [{ rule: `self.${field} >= oldSelf.${field}`, message: `${field} may not shrink` }];
    const checked = { ...objectAt(properties, 'spec'), required: [field], 'x-cluster-validations': rules };
    return {
      ...version,
      schema: { openAPIV3Schema: { ...schema, properties: { ...properties, spec: checked } } },
      selectableFields: [{ jsonPath: `.spec.${field}` }],
    };
  });
  return { ...definition, spec: { ...spec, versions } };
}

describe('versions that a webhook converts, with rules and selectable fields', () => {
  let world: ConversionWorld;

  before(async () => {
    world = await startConversionWorld({ emulatedRelease: '1.36' });
    await define(world.server, mixedDefinition(gearsDefinition(world.hooks)));
  });
  after(() => world[Symbol.asyncDispose]());

  const apply = (version: string, name: string, size: number) =>
    request(
      world.server,
      'PATCH',
      `${gears(version, name)}?fieldManager=${version}&force=true`,
      gear(version, name, size),
      applyPatch,
    );
  const selected = async (version: string, selector: string): Promise<readonly string[]> => {
    const list = await request(world.server, 'GET', `${gears(version)}?fieldSelector=${encodeURIComponent(selector)}`);
    assert.equal(list.status, 200, list.text);
    return objectsAt(list.body as JsonObject, 'items').map(nameOf);
  };

  it('select objects by the fields of the version of the request, whichever version applied them', async () => {
    const watch = await openWatch(world.server, `${gears('v2')}?watch=1&fieldSelector=spec.width%3D3`);
    for (const [version, name, size] of [
      ['v1', 'a', 3],
      ['v2', 'b', 3],
      ['v2', 'c', 2],
    ] as const) {
      const applied = await apply(version, name, size);
      assert.equal(applied.status, 201, applied.text);
    }
    assert.deepEqual(await selected('v1', 'spec.size=3'), ['a', 'b']);
    assert.deepEqual(await selected('v2', 'spec.width=3'), ['a', 'b']);
    assert.deepEqual(await selected('v2', 'spec.width!=3'), ['c']);
    assert.equal((await apply('v1', 'b', 4)).status, 200);
    assert.equal((await apply('v2', 'c', 3)).status, 200);
    await until('the events', () => watch.events.length === 4);
    const seen = watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(seen, ['ADDED a', 'ADDED b', 'DELETED b', 'ADDED c']);
    watch.stop();
  });

  it('check an apply by the rules of its version, with the old value converted to it', async () => {
    assert.equal((await apply('v1', 'rule', 3)).status, 201);
    const shrunk = await apply('v2', 'rule', 2);
    assert.equal(shrunk.status, 422, shrunk.text);
    assert.match(shrunk.text, /spec: Invalid value: width may not shrink/);
    // The limit of v1 alone is 5.
    const grown = await apply('v2', 'rule', 9);
    assert.equal(grown.status, 200, grown.text);
    const back = await apply('v1', 'rule', 4);
    assert.equal(back.status, 422, back.text);
    assert.match(back.text, /size may not shrink/);
  });
});

/** Longer than objects that the cache keeps as they are; it compresses well. */
const hue = 'very long '.repeat(10_000);

describe('large objects that a webhook converts, read by a server that found them in the store', () => {
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let world: ConversionWorld;
  let other: TestServer;

  const apply = (server: TestServer, version: string, name: string, size: number) => {
    const object = gear(version, name, size);
    const large = { ...object, spec: { ...objectAt(object, 'spec'), hue } };
    return request(server, 'PATCH', `${gears(version, name)}?fieldManager=one&force=true`, large, applyPatch);
  };

  before(async () => {
    served = await serveObjectStore(new MemoryStore(), '127.0.0.1:0');
    const store = { kind: 'remote', endpoint: served.endpoint } as const;
    world = await startConversionWorld({ store, emulatedRelease: '1.36' });
    await define(world.server, mixedDefinition(gearsDefinition(world.hooks)));
    for (const name of ['a', 'b', 'c']) {
      const applied = await apply(world.server, 'v1', name, name === 'c' ? 1 : 3);
      assert.equal(applied.status, 201, applied.text);
    }
    // The objects that are in the store when a cache is filled are the ones that it compresses.
    other = await startServer({ store, emulatedRelease: '1.36' });
    await until('the gears', async () => (await request(other, 'GET', gears('v1'))).status === 200);
  });
  after(async () => {
    await other.stop();
    await world[Symbol.asyncDispose]();
    await served.close();
  });

  const specsOf = (objects: readonly JsonObject[]): readonly JsonObject[] =>
    objects.map((object) => objectAt(object, 'spec'));

  it('are selected, listed and applied in another version', async () => {
    const selector = encodeURIComponent('spec.width=3');
    const listed = await request(other, 'GET', `${gears('v2')}?fieldSelector=${selector}`);
    assert.equal(listed.status, 200, listed.text);
    const items = objectsAt(listed.body as JsonObject, 'items');
    assert.deepEqual(items.map(nameOf), ['a', 'b']);
    for (const { color, ...spec } of specsOf(items)) {
      assert.deepEqual([color, spec], ['v1', { hue, width: 3 }]);
    }
    const shrunk = await apply(other, 'v2', 'a', 2);
    assert.equal(shrunk.status, 422, 'the rule sees the old value');
    assert.match(shrunk.text, /width may not shrink/);
    const grown = await apply(other, 'v2', 'c', 2);
    assert.equal(grown.status, 200, grown.text);
    assert.deepEqual(objectAt(grown.body as JsonObject, 'spec')['hue'], hue);
  });

  it('are converted once for many watches of each version', async () => {
    const paths = [gears('v1'), gears('v2'), `${gears('v2')}?fieldSelector=${encodeURIComponent('spec.width=3')}`];
    const separator = (path: string): string => (path.includes('?') ? '&' : '?');
    const reviews = (): number => world.seen.reduce((sum, { request: { objects } }) => sum + objects.length, 0);
    const before = reviews();
    const watches = await Promise.all(
      [...paths, ...paths, ...paths, ...paths].map((path) => openWatch(other, `${path}${separator(path)}watch=1`)),
    );
    const namesOf = (index: number): string =>
      (watches[index]?.events ?? [])
        .map(({ type, object }) => `${type} ${object.metadata.name}`)
        .toSorted((one, two) => (one < two ? -1 : 1))
        .join();
    const seen = (expected: readonly string[]) => () =>
      watches.every((_, index) => namesOf(index) === expected[index % 3]);
    const all = 'ADDED a,ADDED b,ADDED c';

    await until('the gears of all watches', seen([all, all, 'ADDED a,ADDED b']));
    // Each state to v2, by the server of the watches; most of them were listed before.
    assert.ok(reviews() - before <= 3, `${reviews() - before} conversions`);
    const applied = await apply(other, 'v1', 'b', 4);
    assert.equal(applied.status, 200, applied.text);
    await until('the change', seen([`${all},MODIFIED b`, `${all},MODIFIED b`, 'ADDED a,ADDED b,DELETED b']));
    const specs = watches.flatMap(({ events }) => specsOf(events.map(({ object }) => object as unknown as JsonObject)));
    assert.deepEqual(new Set(specs.map((spec) => spec['hue'])), new Set([hue]));
    for (const watch of watches) watch.stop();
  });
});
