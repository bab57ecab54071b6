import assert from 'node:assert/strict';
import { EtcdError } from '../../../src/etcd/etcd-error.ts';
import { RevisionClock } from '../../../src/etcd/revision-clock.ts';

const header = (revision: number, cluster = 'one') => ({ cluster_id: cluster, revision: String(revision) });
const isRegress = (error: unknown): boolean => error instanceof EtcdError && error.code === 'revisionRegressed';

describe('The revision clock', () => {
  it('takes an answer that is older than the newest if it was asked for before', () => {
    const clock = new RevisionClock();
    assert.equal(clock.observe(header(10), 0), 10);
    assert.equal(clock.observe(header(8), 5), 8);
    assert.equal(clock.newest, 10);
    assert.equal(clock.era, 0);
  });

  it('notices a revision that went back, once, and goes on from there', () => {
    const clock = new RevisionClock();
    clock.observe(header(10), 0);
    assert.throws(() => clock.observe(header(3), 10), isRegress);
    assert.equal(clock.era, 1);
    assert.equal(clock.newest, 3);
    // A second call that was on its way when the first one noticed.
    assert.throws(() => clock.observe(header(3), 10), isRegress);
    assert.equal(clock.era, 1);
    assert.equal(clock.observe(header(4), clock.newest), 4);
  });

  it('notices another cluster, however far it has come', () => {
    const clock = new RevisionClock();
    clock.observe(header(10), 0);
    assert.throws(() => clock.observe(header(500, 'two'), 10), isRegress);
    assert.equal(clock.observe(header(501, 'two'), clock.newest), 501);
  });
});
