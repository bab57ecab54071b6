import assert from 'node:assert/strict';
import type { JsonValue } from '../../../../src/meta/json-value.ts';
import type { PatchRequest, RequestScope } from '../../../../src/registry/definition/registry.ts';
import type { ObjectStore } from '../../../../src/storage/port/object-store.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from '../fixture.ts';

function merge(document: JsonValue): PatchRequest {
  return { type: 'merge', document, duplicateFields: [] };
}

function json(...operations: JsonValue[]): PatchRequest {
  return { type: 'json', operations, duplicateFields: [] };
}

describe('registry patch', () => {
  let fixture: Fixture;
  let named: RequestScope;
  /** How many updates the store loses to a writer that is always faster. */
  let losses = 0;
  beforeEach(async () => {
    losses = 0;
    fixture = startFixture({ store: (store) => losing(store, () => losses-- > 0) });
    named = fixture.scope({ name: 'a' });
    await maps().create(fixture.scope(), { metadata: { name: 'a' }, data: { a: '1' } }, write);
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const data = async () => parsed(await maps().get(named, { kind: 'latest' }))['data'];

  it('merges', async () => {
    const response = await maps().patch(named, merge({ data: { a: null, b: '2' } }), write);
    assert.equal(response.created, false);
    assert.deepEqual(parsed(response.object)['data'], { b: '2' });
  });

  it('runs JSON patches', async () => {
    await maps().patch(named, json({ op: 'add', path: '/data/b', value: '2' }), write);
    assert.deepEqual(await data(), { a: '1', b: '2' });
  });

  it('sees the resourceVersion of the live object', async () => {
    const value = String(await fixture.revision());
    await maps().patch(named, json({ op: 'test', path: '/metadata/resourceVersion', value }), write);
    assert.equal(await fixture.revision(), Number(value));
  });

  it('is tried again on conflicts, up to five times', async () => {
    losses = 5;
    await maps().patch(named, merge({ data: { b: '2' } }), write);
    assert.deepEqual(await data(), { a: '1', b: '2' });
    losses = 6;
    const error = await refusal(maps().patch(named, merge({ data: { c: '3' } }), write));
    assert.equal(error.reason, 'Conflict');
  });

  it('writes nothing in a dry run', async () => {
    const before = await fixture.revision();
    const response = await maps().patch(named, merge({ data: { b: '2' } }), { ...write, dryRun: true });
    assert.deepEqual(parsed(response.object)['data'], { a: '1', b: '2' });
    assert.equal(await fixture.revision(), before);
  });

  const refused: readonly (readonly [what: string, patch: PatchRequest, code: number, message: RegExp])[] = [
    ['a stale resourceVersion', merge({ metadata: { resourceVersion: '1' } }), 409, /has been modified/],
    ['another name', merge({ metadata: { name: 'b' } }), 400, /does not match the name on the URL/],
    ['another uid', merge({ metadata: { uid: 'x' } }), 422, /metadata.uid: Invalid value: "x": field is immutable$/],
    ['a wrong type', merge({ data: 1 }), 422, /^ "" is invalid: patch: Invalid value: "\{\\".*\}": /],
    ['a merge patch that is no object', merge([]), 400, /^Invalid JSON Patch$/],
    ['a JSON patch that is no list', { type: 'json', operations: {}, duplicateFields: [] }, 400, /./],
    ['an unknown operation', json({ op: 'foo', path: '/a' }), 422, /^the server rejected our request/],
    [
      'a failed test',
      json({ op: 'test', path: '/data/a', value: '2' }),
      422,
      /^the server rejected our request due to an error/,
    ],
    ['a missing path', json({ op: 'remove', path: '/data/z' }), 422, /^the server rejected our request/],
    ['another kind', merge({ kind: 'Secret' }), 422, /kind and apiVersion must stay/],
    ['a removed apiVersion', json({ op: 'remove', path: '/apiVersion' }), 400, /was undeterminable/],
    ['another apiVersion', merge({ apiVersion: 'v2' }), 422, /kind and apiVersion must stay/],
    ['a removed name', json({ op: 'remove', path: '/metadata/name' }), 400, /undeterminable/],
    ['a document that is no object', json({ op: 'replace', path: '', value: 1 }), 400, /JSON object/],
  ];
  for (const [what, patch, code, message] of refused) {
    it(`refuses ${what}`, async () => {
      const before = await fixture.revision();
      const error = await refusal(maps().patch(named, patch, write));
      assert.match(error.message, message);
      assert.equal(error.code, code);
      assert.equal(await fixture.revision(), before);
    });
  }

  it('takes a patch that removes the kind of a built-in one, which the URL names', async () => {
    const { object } = await maps().patch(named, merge({ kind: null, data: { a: '2' } }), write);
    assert.equal(parsed(object)['kind'], 'ConfigMap');
    assert.deepEqual(child(parsed(object), 'data'), { a: '2' });
  });

  it('reports unknown fields against the patch', async () => {
    const error = await refusal(maps().patch(named, merge({ foo: 1 }), { ...write, fieldValidation: 'Strict' }));
    assert.equal(error.code, 422);
    assert.match(error.message, /strict decoding error: unknown field "foo"$/);
  });

  it('does not find a missing object', async () => {
    const error = await refusal(maps().patch({ ...named, name: 'b' }, merge({}), write));
    assert.equal(error.message, 'configmaps "b" not found');
  });

  it('forgets all managers when asked to', async () => {
    const response = await maps().patch(
      named,
      json({ op: 'replace', path: '/metadata/managedFields', value: [{}] }),
      write,
    );
    assert.equal(child(parsed(response.object), 'metadata')['managedFields'], undefined);
  });
});

/** A store whose updates are lost while `loses` says so, as if somebody else had written first. */
function losing(store: ObjectStore, loses: () => boolean): ObjectStore {
  return new Proxy(store, {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== 'function') return member;
      if (property !== 'update') return member.bind(target);
      const update: ObjectStore['update'] = async (key, value, expected, options) => {
        if (loses()) {
          const { current } = await target.get(key);
          if (current) await target.update(key, current.value, current.revision);
        }
        return target.update(key, value, expected, options);
      };
      return update;
    },
  });
}
