import assert from 'node:assert/strict';
import { EtcdError, type EtcdErrorCode } from '../../../src/etcd/etcd-error.ts';
import { RevisionClock } from '../../../src/etcd/revision-clock.ts';

const header = (revision: number, cluster = 'one') => ({ cluster_id: cluster, revision: String(revision) });
const isError = (code: EtcdErrorCode) => (error: unknown) => error instanceof EtcdError && error.code === code;

function clockAt(revision: number): RevisionClock {
  const clock = new RevisionClock();
  clock.observe(header(revision), clock.ticket(), 'read');
  return clock;
}

describe('The revision clock', () => {
  it('takes an answer that is older than the newest if it was asked for before', () => {
    const clock = clockAt(5);
    const early = clock.ticket();
    clock.observe(header(10), clock.ticket(), 'write');
    clock.observe(header(8), early, 'read');
    assert.equal(clock.newest, 10);
    assert.equal(clock.era, 0);
  });

  it('does not believe a read from the past at once', () => {
    const clock = clockAt(10);
    const [one, two] = [clock.ticket(), clock.ticket()];
    assert.throws(() => clock.observe(header(3), one, 'read'), isError('unavailable'));
    // Sent before the first one came back: it says no more than that.
    assert.throws(() => clock.observe(header(3), two, 'read'), isError('unavailable'));
    clock.observe(header(10), clock.ticket(), 'read');
    const doubting = clock.ticket();
    clock.observe(header(10), clock.ticket(), 'read');
    assert.throws(() => clock.observe(header(3), doubting, 'read'), isError('unavailable'));
    assert.equal(clock.era, 0);
    assert.equal(clock.newest, 10);
  });

  it('notices a revision that went back, once, and goes on from there', () => {
    const clock = clockAt(10);
    assert.throws(() => clock.observe(header(3), clock.ticket(), 'read'), isError('unavailable'));
    const [one, two] = [clock.ticket(), clock.ticket()];
    assert.throws(() => clock.observe(header(3), one, 'read'), isError('revisionRegressed'));
    assert.equal(clock.era, 1);
    assert.equal(clock.newest, 3);
    assert.throws(() => clock.observe(header(3), two, 'read'), isError('unavailable'));
    assert.equal(clock.era, 1);
    clock.observe(header(4), clock.ticket(), 'read');
    assert.equal(clock.newest, 4);
  });

  it('reports to earlier calls that their epoch is over', () => {
    const clock = new RevisionClock();
    clock.observe(header(9), clock.ticket(), 'write');
    const before = clock.eraEnd;
    assert.throws(() => clock.observe(header(5), clock.ticket(), 'write'));
    assert.equal(before.aborted, true);
    assert.equal(clock.eraEnd.aborted, false);
  });

  it('believes a write at once', () => {
    const clock = clockAt(10);
    assert.throws(() => clock.observe(header(3), clock.ticket(), 'write'), isError('revisionRegressed'));
  });

  it('notices another cluster at once, however far it has come', () => {
    const clock = clockAt(10);
    assert.throws(() => clock.observe(header(500, 'two'), clock.ticket(), 'read'), isError('revisionRegressed'));
    clock.observe(header(501, 'two'), clock.ticket(), 'read');
    assert.equal(clock.newest, 501);
  });
});
