import assert from 'node:assert/strict';
import { checkValuesInJson, valueLimit } from '../../../../src/codec/value-limit.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { PatchRequest } from '../../../../src/registry/definition/registry.ts';
import type { ObjectStore } from '../../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../../src/storage/port/storage-error.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from '../fixture.ts';

const limitBytes = 3000;

/** Keys that are half as large as the limit, and in managedFields once more. */
const data = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${index}-`.padEnd(100, 'k'), '']));

/** More than that. */
const tooMuch = { k: 'v'.repeat(limitBytes) };

describe('registry, near the size that the store takes', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture({ builtIn: true, store: (store) => limited(store, limitBytes) });
    await maps().create(fixture.scope(), { metadata: { name: 'a' }, data: { a: '1' } }, write);
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const isUnmanaged = (object: JsonObject): boolean => child(object, 'metadata')['managedFields'] === undefined;
  const patch = (type: 'merge' | 'strategic' | 'apply', document: JsonObject): PatchRequest => ({
    type,
    document,
    duplicateFields: [],
  });

  it('a create goes without managers rather than fail', async () => {
    const object = parsed(await maps().create(fixture.scope(), { metadata: { name: 'b' }, data }, write));
    assert.deepEqual(object['data'], data);
    assert.ok(isUnmanaged(object));
  });

  it('an update does so too', async () => {
    const { object } = await maps().update(fixture.scope({ name: 'a' }), { metadata: { name: 'a' }, data }, write);
    assert.deepEqual(parsed(object)['data'], data);
    assert.ok(isUnmanaged(parsed(object)));
  });

  for (const type of ['merge', 'strategic'] as const) {
    it(`a ${type} patch does so too`, async () => {
      const { object } = await maps().patch(fixture.scope({ name: 'a' }), patch(type, { data }), write);
      assert.deepEqual(parsed(object)['data'], { ...data, a: '1' });
      assert.ok(isUnmanaged(parsed(object)));
    });
  }

  it('an apply is refused, since its managers are what it is for', async () => {
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
    const error = await refusal(maps().patch(fixture.scope({ name: 'a' }), patch('apply', applied), write));
    assert.equal(error.reason, 'RequestEntityTooLarge');
  });

  it('what is too large by itself is refused', async () => {
    const error = await refusal(maps().create(fixture.scope(), { metadata: { name: 'b' }, data: tooMuch }, write));
    assert.equal(error.reason, 'RequestEntityTooLarge');
    const second = await refusal(maps().patch(fixture.scope({ name: 'a' }), patch('merge', { data: tooMuch }), write));
    assert.equal(second.reason, 'RequestEntityTooLarge');
  });
});

describe('registry, near the number of values that a body may have', () => {
  const keys = valueLimit / 2 + 1000;
  const many = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, '']));
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ builtIn: true });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const merge = (document: JsonObject): PatchRequest => ({ type: 'merge', document, duplicateFields: [] });

  it('what a client has read can be sent back and patched, if need be without managers', async () => {
    const made = await maps().create(fixture.scope(), { metadata: { name: 'a' }, data: many }, write);
    checkValuesInJson(made.json);
    const labelled = merge({ metadata: { labels: { a: 'b' } } });
    const { object } = await maps().patch(fixture.scope({ name: 'a' }), labelled, write);
    checkValuesInJson(object.json);
    assert.deepEqual(child(parsed(object), 'metadata')['labels'], { a: 'b' });
  });

  it('a patch may add as long as there is room without the managers', async () => {
    const half = Object.fromEntries(Object.entries(many).slice(0, valueLimit / 2 - 2000));
    const made = await maps().create(fixture.scope(), { metadata: { name: 'a' }, data: half }, write);
    assert.notEqual(child(parsed(made), 'metadata')['managedFields'], undefined);
    const { object } = await maps().patch(fixture.scope({ name: 'a' }), merge({ data: many }), write);
    assert.equal(Object.keys(child(parsed(object), 'data')).length, keys);
    checkValuesInJson(object.json);
  });

  it('what defaults add counts', async () => {
    const services = fixture.registry('services');
    const object = (ports: number): JsonObject => ({
      metadata: { name: `s${ports}` },
      spec: { ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: index + 1 })) },
    });
    // Two values of each port are sent, and the port itself; its protocol and its target are added.
    const error = await refusal(services.create(fixture.scope(), object(valueLimit / 4), write));
    assert.equal(error.reason, 'RequestEntityTooLarge');
    const made = await services.create(fixture.scope(), object(valueLimit / 6), write);
    checkValuesInJson(made.json);
  });

  it('what defaults add counts', async () => {
    const services = fixture.registry('services');
    const object = (ports: number): JsonObject => ({
      metadata: { name: `s${ports}` },
      spec: { ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: index + 1 })) },
    });
    // Two values of each port are sent, and the port itself; its protocol and its target are added.
    const error = await refusal(services.create(fixture.scope(), object(valueLimit / 4), write));
    assert.equal(error.reason, 'RequestEntityTooLarge');
    const made = await services.create(fixture.scope(), object(valueLimit / 6), write);
    checkValuesInJson(made.json);
  });

  it('an apply is refused, since its managers are what it is for', async () => {
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: many };
    const patch: PatchRequest = { type: 'apply', document: applied, duplicateFields: [] };
    const error = await refusal(maps().patch(fixture.scope({ name: 'a' }), patch, write));
    assert.equal(error.reason, 'RequestEntityTooLarge');
  });
});

/** A store that takes values of a limited size, as etcd does. */
function limited(store: ObjectStore, limit: number): ObjectStore {
  const check = (key: string, value: Uint8Array): void => {
    if (value.length > limit) throw new StorageError('TooLarge', 'too large', { key });
  };
  return new Proxy(store, {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== 'function') return member;
      const create: ObjectStore['create'] = async (key, value, options) => {
        check(key, value);
        return target.create(key, value, options);
      };
      const update: ObjectStore['update'] = async (key, value, expected, options) => {
        check(key, value);
        return target.update(key, value, expected, options);
      };
      if (property === 'create') return create;
      return property === 'update' ? update : member.bind(target);
    },
  });
}
