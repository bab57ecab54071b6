import assert from 'node:assert/strict';
import { SharedLeases } from '../../../src/etcd/shared-leases.ts';

describe('shared leases', () => {
  /** Leases that are numbered as they are granted. */
  function numbered() {
    const granted: number[] = [];
    const leases = new SharedLeases(async (ttlSeconds) => {
      granted.push(ttlSeconds);
      return String(granted.length);
    });
    return { leases, granted };
  }

  it('give many keys one lease, which outlives each of them by as long as it is given out', async () => {
    const { leases, granted } = numbered();
    const ids = await Promise.all(Array.from({ length: 50 }, () => leases.leaseFor(3600)));
    assert.deepEqual(new Set(ids), new Set(['1']));
    assert.deepEqual(granted, [3660]);
  });

  it('are for one time to live each', async () => {
    const { leases, granted } = numbered();
    assert.notEqual(await leases.leaseFor(3600), await leases.leaseFor(100));
    assert.deepEqual(granted, [3660, 105]);
  });

  it('take a thousand keys, for etcd deletes them at once', async () => {
    const { leases } = numbered();
    const ids: string[] = [];
    for (let count = 0; count < 2001; count++) ids.push(await leases.leaseFor(3600));
    assert.deepEqual(
      ['1', '2', '3'].map((id) => ids.filter((other) => other === id).length),
      [1000, 1000, 1],
    );
  });

  it('are granted again when they have been in use for long enough', async () => {
    const { leases } = numbered();
    // A twentieth of a second is all that a lease of one second is given out for.
    assert.equal(await leases.leaseFor(1), '1');
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(await leases.leaseFor(1), '2');
  });

  it('are granted again when etcd has lost one', async () => {
    const { leases } = numbered();
    const id = await leases.leaseFor(3600);
    await leases.forget(id);
    assert.equal(await leases.leaseFor(3600), '2');
    await leases.forget(id);
    assert.equal(await leases.leaseFor(3600), '2');
  });

  it('do not remember a grant that failed', async () => {
    let failing = true;
    const leases = new SharedLeases(async () => {
      if (failing) throw new Error('etcd is away');
      return 'granted';
    });
    const both = await Promise.allSettled([leases.leaseFor(60), leases.leaseFor(60)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    failing = false;
    assert.equal(await leases.leaseFor(60), 'granted');
  });
});
