import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const group = 'free.example.com';
const keeps = { 'x-cluster-preserve-unknown-fields': true };
const whole = { 'x-cluster-embedded-resource': true };
const text = { type: 'string' };

/** A part with properties. */
function part(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** Values without a schema in all places that a schema can have for them. */
const schema: JsonObject = part(
  {
    spec: part(
      {
        replicas: { type: 'integer' },
        any: keeps,
        free: { type: 'object', ...keeps },
        map: { type: 'object', additionalProperties: keeps },
        declared: part({ a: text }),
        nullable: { type: 'object', additionalProperties: text, nullable: true },
        items: {
          type: 'array',
          'x-cluster-list-type': 'map',
          'x-cluster-list-map-keys': ['name'],
          items: part({ name: text, free: { type: 'object', ...keeps } }, { required: ['name'] }),
        },
        list: { type: 'array', ...keeps, items: part({ a: text }) },
        template: { type: 'object', ...whole, ...keeps },
      },
      keeps,
    ),
    strict: part({ any: keeps, declared: part({ a: text }) }),
  },
  keeps,
);

/** A list of objects, at which every depth has fields that no schema knows. */
const list: JsonValue = [{ colour: 'red', size: 3 }, { parts: [{ name: 'lid' }] }, [{ b: [{ c: null }] }]];

describe('values without a schema', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
    const version = versionOf('v1', { schema: { openAPIV3Schema: schema }, subresources: { status: {} } });
    await define(server, widgetsIn(group, { versions: [version] }));
  });
  after(() => server.stop());

  const at = (name: string): string => `${widgetsAt(group)}/${name}`;
  const widget = (name: string, rest: JsonObject): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name },
    ...rest,
  });
  const send = (name: string, manager: string, rest: JsonObject, query = ''): Promise<HttpResponse> =>
    request(server, 'PATCH', `${at(name)}${query}?fieldManager=${manager}`, widget(name, rest), applyPatch);
  const apply = async (name: string, manager: string, rest: JsonObject, query = ''): Promise<JsonObject> => {
    const answer = await send(name, manager, rest, query);
    assert.ok(answer.status < 300, answer.text);
    return answer.body as JsonObject;
  };
  const conflict = async (name: string, manager: string, rest: JsonObject): Promise<string> => {
    const answer = await send(name, manager, rest);
    assert.equal(answer.status, 409, answer.text);
    return stringAt(answer.body as JsonObject, 'message');
  };
  const ownedBy = (object: JsonObject, manager: string): JsonValue | undefined =>
    objectsAt(objectAt(object, 'metadata'), 'managedFields').find((entry) => entry['manager'] === manager)?.[
      'fieldsV1'
    ];

  const kept: readonly (readonly [title: string, spec: JsonObject])[] = [
    ['of any type', { any: list }],
    ['in an object', { free: { list, inner: { list } } }],
    ['in a map', { map: { k: list, o: { y: list } } }],
    ['in items with a key', { items: [{ free: { list }, name: 'a' }] }],
    ['in the items of a list that keeps them', { list: [{ a: 'x', b: list }] }],
    ['beside declared properties', { other: list }],
    ['in a whole object', { template: { apiVersion: 'v1', kind: 'A', other: list } }],
  ];
  for (const [title, spec] of kept) {
    it(`are kept ${title}, when they are written and when something else is`, async () => {
      const name = `kept-${kept.findIndex((row) => row[0] === title)}`;
      const created = await request(server, 'POST', widgetsAt(group), widget(name, { spec }));
      assert.equal(created.status, 201, created.text);
      assert.deepEqual(objectAt(created.body as JsonObject, 'spec'), spec);
      assert.equal(created.headers['warning'], undefined);
      const labels = { metadata: { labels: { a: 'b' } } };
      const patched = await request(server, 'PATCH', at(name), labels, mergePatch);
      assert.deepEqual(objectAt(patched.body as JsonObject, 'spec'), spec);
      const read = await request(server, 'GET', at(name));
      assert.deepEqual(objectAt(read.body as JsonObject, 'spec'), spec);
    });
  }

  it('are removed below a schema that does not keep them', async () => {
    const spec = { declared: { a: 'x', b: 1 }, list: [{ a: 'x' }] };
    const strict = { any: [{ b: 1 }], declared: { a: 'x', b: 1 }, c: 1 };
    const created = await request(server, 'POST', widgetsAt(group), widget('strict', { spec, strict }));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(objectAt(created.body as JsonObject, 'spec', 'declared'), { a: 'x' });
    assert.deepEqual(objectAt(created.body as JsonObject, 'strict'), { any: [{ b: 1 }], declared: { a: 'x' } });
  });

  it('are merged key by key, at every depth', async () => {
    const first = { replicas: 1, image: 'x', deep: { a: { b: 1 } }, free: { a: { b: 1 } }, any: { a: { b: 1 } } };
    await apply('merged', 'one', { spec: first, other: { a: { b: 1 } } });
    const second = { paused: true, deep: { a: { c: 2 } }, free: { a: { c: 2 } }, any: { a: { c: 2 } } };
    const object = await apply('merged', 'two', { spec: second, other: { a: { c: 2 } } });
    const both = { a: { b: 1, c: 2 } };
    assert.deepEqual(object['spec'], { any: both, deep: both, free: both, image: 'x', paused: true, replicas: 1 });
    assert.deepEqual(object['other'], both);
    const deep = { 'f:a': { '.': {}, 'f:c': {} } };
    assert.deepEqual(ownedBy(object, 'two'), {
      'f:other': { '.': {}, ...deep },
      'f:spec': { 'f:any': deep, 'f:deep': { '.': {}, ...deep }, 'f:free': deep, 'f:paused': {} },
    });
    const left = await apply('merged', 'one', { spec: { replicas: 1 } });
    const rest = { a: { c: 2 } };
    assert.deepEqual(left['spec'], { any: rest, deep: rest, free: rest, paused: true, replicas: 1 });
  });

  it('are merged in items with a key, and in whole objects, whose metadata has a type', async () => {
    const metadata = (label: string): JsonObject => ({ labels: { [label]: 'x' } });
    const rest = (key: string): JsonObject => ({
      items: [{ name: 'a', free: { f: { [key]: 1 } } }],
      template: { apiVersion: 'v1', kind: 'A', metadata: metadata(key), spec: { s: { [key]: 1 } } },
    });
    await apply('items', 'one', { spec: rest('b') });
    const { spec } = await apply('items', 'two', { spec: rest('c') });
    const both = { b: 1, c: 1 };
    assert.deepEqual(spec, {
      items: [{ free: { f: both }, name: 'a' }],
      template: { apiVersion: 'v1', kind: 'A', metadata: { labels: { b: 'x', c: 'x' } }, spec: { s: both } },
    });
  });

  it('stay, empty, where another manager owns the map that an apply empties', async () => {
    await apply('emptied', 'one', { spec: { free: { a: { b: 1 }, c: {} }, deep: {}, replicas: 1 } });
    await send('emptied', 'two&force=true', { spec: { free: { a: { b: 2 }, c: { d: 1 } }, deep: { e: 1 } } });
    const left = await apply('emptied', 'two', { spec: { paused: true } });
    assert.deepEqual(left['spec'], { deep: {}, free: { a: {}, c: {} }, paused: true, replicas: 1 });
    assert.deepEqual(ownedBy(left, 'one'), {
      'f:spec': { 'f:deep': {}, 'f:free': { 'f:a': {}, 'f:c': {} }, 'f:replicas': {} },
    });
    const gone = await apply('emptied', 'one', { spec: { replicas: 1 } });
    assert.deepEqual(gone['spec'], { paused: true, replicas: 1 });
  });

  it('stay, empty, where another manager owns the whole declared field that an apply empties', async () => {
    const empty = { free: {}, map: {}, declared: {} };
    await apply('declared', 'one', { spec: { ...empty, replicas: 1 } });
    await apply('declared', 'two', { spec: { free: { a: 1 }, map: { b: { c: 1 } }, declared: { a: 'x' } } });
    const left = await apply('declared', 'two', { spec: { paused: true } });
    assert.deepEqual(left['spec'], { ...empty, paused: true, replicas: 1 });
    const gone = await apply('declared', 'one', { spec: { replicas: 1 } });
    assert.deepEqual(gone['spec'], { paused: true, replicas: 1 });
  });

  it('become null where an apply sets null in place of what it applied before, and keep what others own', async () => {
    await apply('nulls', 'one', { spec: { nullable: { a: 'x' } } });
    const alone = await apply('nulls', 'one', { spec: { nullable: null } });
    assert.deepEqual(alone['spec'], { nullable: null });
    await apply('shared', 'one', { spec: { nullable: { a: 'x' } } });
    await apply('shared', 'two', { spec: { nullable: { b: 'x' } } });
    const shared = await apply('shared', 'one', { spec: { nullable: null } });
    assert.deepEqual(shared['spec'], { nullable: { b: 'x' } });
  });

  it('of a status outlive applies of others', async () => {
    await apply('status', 'one', { spec: { replicas: 1 } });
    await apply('status', 'loop', { status: { phase: { since: 1 } } }, '/status');
    await apply('status', 'two', { status: { phase: { text: 'x' } } }, '/status');
    const object = await apply('status', 'one', { spec: { replicas: 2 } });
    assert.deepEqual(object['status'], { phase: { since: 1, text: 'x' } });
  });

  it('conflict where one takes the place of what another owns', async () => {
    await apply('taken', 'one', { spec: { any: { a: { b: 1 } }, deep: { a: { b: 1 } }, list: [{ a: 'x' }] } });
    assert.match(await conflict('taken', 'two', { spec: { any: [1] } }), /conflict with "one".*: \.spec\.any$/);
    assert.match(await conflict('taken', 'two', { spec: { any: { a: 3 } } }), /: \.spec\.any\.a$/);
    assert.match(await conflict('taken', 'two', { spec: { deep: 'x' } }), /: \.spec\.deep$/);
    assert.match(await conflict('taken', 'two', { spec: { deep: { a: [] } } }), /: \.spec\.deep\.a$/);
    const taken = await apply('taken', 'two', { spec: { deep: null } });
    assert.deepEqual(objectAt(taken, 'spec', 'deep'), { a: { b: 1 } });
    const forced = await send('taken', 'three&force=true', { spec: { any: [1], deep: { a: 'x' } } });
    assert.deepEqual(objectAt(forced.body as JsonObject, 'spec'), { any: [1], deep: { a: 'x' }, list: [{ a: 'x' }] });
    assert.match(await conflict('taken', 'one', { spec: { any: { a: { b: 1 } } } }), /"three".*: \.spec\.any$/);
  });
});
