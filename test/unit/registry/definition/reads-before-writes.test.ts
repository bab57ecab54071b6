import assert from 'node:assert/strict';
import type { PatchRequest, RequestScope } from '../../../../src/registry/definition/registry.ts';
import type { ObjectStore } from '../../../../src/storage/port/object-store.ts';
import { until } from '../../../http/until.ts';
import { child, type Fixture, parsed, refusal, remove, startFixture, write, type KindStrategy } from '../fixture.ts';

const strategies: readonly KindStrategy[] = [
  { group: 'coordination', resource: 'leases', strategy: { allowCreateOnUpdate: true } },
];

describe('a write that changes an object', () => {
  let fixture: Fixture;
  let reads: string[];
  beforeEach(() => {
    reads = [];
    fixture = startFixture({ strategies, store: (store) => noting(store, reads) });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const leases = () => fixture.registry('leases', 'coordination.k8s.io');
  const put = (scope: RequestScope, n: string) => maps().update(scope, { metadata: { name: 'a' }, data: { n } }, write);

  it('reads the store before the first change of a resource, and not again', async () => {
    const scope = fixture.scope({ name: 'a' });
    await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write);
    await put(scope, '1');
    assert.equal(reads.length, 1);
    await until('a write without a read', async () => {
      const before = reads.length;
      await put(scope, String(Math.random()));
      return reads.length === before;
    });
    await maps().delete(scope, remove);
  });

  it('creates what is not there without a read, once it is known what is there', async () => {
    await leases().list(fixture.scope(), { at: { kind: 'latest' }, limit: 0 });
    const document = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
    const apply: PatchRequest = { type: 'apply', document, duplicateFields: [] };
    const applied = await leases().patch(fixture.scope({ name: 'a' }), apply, write);
    assert.equal(applied.created, true);
    const replaced = await leases().update(fixture.scope({ name: 'b' }), { metadata: { name: 'b' } }, write);
    assert.equal(replaced.created, true);
    assert.deepEqual(reads, []);
  });

  it('asks the store before it says that there is nothing', async () => {
    await maps().list(fixture.scope(), { at: { kind: 'latest' }, limit: 0 });
    assert.equal((await refusal(put(fixture.scope({ name: 'a' }), '1'))).reason, 'NotFound');
    assert.equal(reads.length, 1);
  });

  it('changes at once what was created before the cache has heard of it', async () => {
    await maps().list(fixture.scope(), { at: { kind: 'latest' }, limit: 0 });
    for (let round = 0; round < 20; round++) {
      const scope = fixture.scope({ name: 'a' });
      await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write);
      const { object } = await put(scope, String(round));
      assert.deepEqual(child(parsed(object), 'data'), { n: String(round) });
      await maps().delete(scope, remove);
    }
  });
});

/** A store that writes down the keys that are read one by one. */
function noting(store: ObjectStore, reads: string[]): ObjectStore {
  const get: ObjectStore['get'] = (key, options) => {
    reads.push(key);
    return store.get(key, options);
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'get') return get;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
