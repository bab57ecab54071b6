import assert from 'node:assert/strict';
import { ExcludedVersions } from '../../../../src/aggregator/peers/excluded-versions.ts';

describe('the versions for which no peer is needed', () => {
  it('stay excluded for five minutes after their removal, in the same set', () => {
    let nowMs = 0;
    const excluded = new ExcludedVersions(() => nowMs);
    const none: ReadonlySet<string> = new Set();
    assert.equal(excluded.with(new Set(['example.com/v1', 'example.com/v2'])).size, 2);
    const left = new Set(['example.com/v1']);
    const withGone = excluded.with(left);
    assert.deepEqual([...withGone].toSorted(), ['example.com/v1', 'example.com/v2']);
    assert.equal(excluded.with(left), withGone);
    nowMs = 300_001;
    assert.deepEqual(excluded.with(left), left);
    assert.deepEqual(excluded.with(none), left);
    nowMs = 700_000;
    assert.deepEqual(excluded.with(none), none);
  });
});
