import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { type ApiRelease, isSince } from '../../../src/scheme/api-release.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'ratchet.example.com';
const collection = widgetsAt(group);
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The schema at first, and the stricter one that follows. */
function specSchema(isStrict: boolean): JsonObject {
  const item: JsonObject = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, count: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) } },
  };
  const spec: JsonObject = {
    type: 'object',
    ...(isStrict ? { required: ['wanted'] } : {}),
    properties: {
      size: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) },
      note: { type: 'string' },
      wanted: { type: 'string' },
      keyed: {
        type: 'array',
        items: item,
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
      },
      plain: { type: 'array', items: item },
      inner: { type: 'object', additionalProperties: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) } },
      chosen: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        ...(isStrict ? { allOf: [{ properties: { a: { maximum: 5 } } }] } : {}),
      },
    },
  };
  return { type: 'object', properties: { spec, status: { type: 'object', properties: { n: { type: 'integer' } } } } };
}

const stored: JsonObject = {
  size: 9,
  keyed: [{ name: 'a', count: 9 }],
  plain: [{ name: 'a', count: 9 }],
  inner: { x: 9 },
  chosen: { a: 9 },
};

/** A change of a stored object, and the fields of its errors. */
const changes: readonly (readonly [title: string, patch: JsonObject, fields: readonly string[]])[] = [
  ['labels alone', { metadata: { labels: { a: 'b' } } }, []],
  ['the status alone', { status: { n: 1 } }, []],
  ['another field, without one that is required now', { spec: { note: 'x' } }, ['spec.wanted']],
  ['another field', { spec: { note: 'x', wanted: 'y' } }, []],
  ['the field itself', { spec: { size: 8, wanted: 'y' } }, ['spec.size']],
  ['another entry of a map', { spec: { inner: { y: 1 }, wanted: 'y' } }, []],
  ['an entry of a map', { spec: { inner: { x: 8 }, wanted: 'y' } }, ['spec.inner.x']],
  [
    'the other items of a list with keys',
    {
      spec: {
        keyed: [
          { name: 'b', count: 1 },
          { name: 'a', count: 9 },
        ],
        wanted: 'y',
      },
    },
    [],
  ],
  ['an item of a list with keys', { spec: { keyed: [{ name: 'a', count: 8 }], wanted: 'y' } }, ['spec.keyed[0].count']],
  [
    'the other items of a list without keys',
    { spec: { plain: [{ name: 'a', count: 9 }, { name: 'b' }], wanted: 'y' } },
    ['spec.plain[0].count'],
  ],
  ['a sibling inside a combination', { spec: { chosen: { b: 1 }, wanted: 'y' } }, ['<nil>', 'spec.chosen.a']],
];

describe('an update under a schema that has become stricter', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
    const version = (isStrict: boolean): JsonObject =>
      versionOf('v1', { schema: { openAPIV3Schema: specSchema(isStrict) } });
    await define(server, widgetsIn(group, { versions: [version(false)] }));
    for (const index of changes.keys()) {
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: `w${index}` }, spec: stored };
      const created = await request(server, 'POST', collection, widget);
      assert.equal(created.status, 201, created.text);
    }
    const stricter = { spec: { versions: [version(true)] } };
    const changed = await request(server, 'PATCH', `${definitions}/widgets.${group}`, stricter, mergePatch);
    assert.equal(changed.status, 200, changed.text);
    await until('the new schema', async () => {
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'new' }, spec: stored };
      return (await request(server, 'POST', `${collection}?dryRun=All`, widget)).status === 422;
    });
  });
  after(() => server.stop());

  for (const [index, [title, patch, fields]] of changes.entries()) {
    it(`${fields.length === 0 ? 'may' : 'may not'} change ${title}`, async () => {
      const answer = await request(server, 'PATCH', `${collection}/w${index}`, patch, mergePatch);
      if (fields.length === 0) assert.equal(answer.status, 200, answer.text);
      else {
        assert.equal(answer.status, 422, answer.text);
        const { details } = answer.body as { details: JsonObject };
        const found = objectsAt(details, 'causes').map((cause) => stringAt(cause, 'field'));
        assert.deepEqual(new Set(found), new Set(fields));
      }
    });
  }
});

/** What an update may keep: invalid values, and values that break a rule, of objects and of their status. */
interface Kept {
  readonly object: readonly [value: boolean, rule: boolean];
  readonly status: readonly [value: boolean, rule: boolean];
}

const none: Kept = { object: [false, false], status: [false, false] };
const gateOn = ['CRDValidationRatcheting=true'];
const gateOff = ['CRDValidationRatcheting=false'];

/** Releases, with the gate where it is off by default. */
const keptByRelease: readonly (readonly [release: ApiRelease, gates: readonly string[], kept: Kept])[] = [
  ['1.23', [], none],
  ['1.27', [], none],
  ['1.28', [], none],
  ['1.28', gateOn, { object: [true, false], status: [true, false] }],
  ['1.29', [], none],
  ['1.29', gateOn, { object: [true, true], status: [false, false] }],
  ['1.30', [], { object: [true, true], status: [false, false] }],
  ['1.30', gateOff, none],
  ['1.32', [], { object: [true, true], status: [false, false] }],
  ['1.33', [], { object: [true, true], status: [true, true] }],
];

/** A part with two fields, of which one is limited: by a number, by a rule, or not at all. */
function limited(limit: 'value' | 'rule' | 'none'): JsonObject {
  const size: JsonObject = {
    type: 'integer',
    ...(limit === 'value' ? { maximum: 5 } : {}),
    ...(limit === 'rule' ? { 'x-cluster-validations': [{ rule: 'self <= 5' }] } : {}),
  };
  return { type: 'object', properties: { size, note: { type: 'string' } } };
}

describe('values that a definition has come to forbid', () => {
  for (const [release, featureGates, kept] of keptByRelease) {
    it(`are kept as in the release: ${[release, ...featureGates].join(', ')}`, async () => {
      const rules = isSince(release, '1.25') ? [] : ['CustomResourceValidationExpressions=true'];
      await using server = await startServer({
        store: 'memory',
        emulatedRelease: release,
        featureGates: [...featureGates, ...rules],
      });
      const version = (limit: Parameters<typeof limited>[0]): JsonObject => {
        const properties = { spec: limited(limit), status: limited(limit) };
        return versionOf('v1', {
          schema: { openAPIV3Schema: { type: 'object', properties } },
          subresources: { status: {} },
        });
      };
      await define(server, widgetsIn(group, { versions: [version('none')] }));
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 9 } };
      assert.equal((await request(server, 'POST', collection, widget)).status, 201);
      const written = await request(server, 'PATCH', `${collection}/w/status`, { status: { size: 9 } }, mergePatch);
      assert.equal(written.status, 200, written.text);
      const found = { object: [] as boolean[], status: [] as boolean[] };
      for (const limit of ['value', 'rule'] as const) {
        const changed = { spec: { versions: [version(limit)] } };
        await request(server, 'PATCH', `${definitions}/widgets.${group}`, changed, mergePatch);
        await until('the new schema', async () => {
          const other = { ...widget, metadata: { name: 'new' } };
          return (await request(server, 'POST', `${collection}?dryRun=All`, other)).status === 422;
        });
        const patch = (path: string, body: JsonObject): Promise<HttpResponse> =>
          request(server, 'PATCH', `${collection}/w${path}`, body, mergePatch);
        found.object.push((await patch('', { spec: { note: limit } })).status === 200);
        const ofStatus = await patch('/status', { status: { note: limit } });
        found.status.push(ofStatus.status === 200);
        if (limit === 'value' && ofStatus.status === 422) {
          const { details } = ofStatus.body as { details: JsonObject };
          const field = objectsAt(details, 'causes')
            .map((cause) => stringAt(cause, 'field'))
            .at(-1);
          const isShort = isSince(release, '1.28') && !isSince(release, '1.31');
          assert.equal(field, isShort ? 'size' : 'status.size', ofStatus.text);
        }
      }
      assert.deepEqual(found, kept);
    });
  }
});
