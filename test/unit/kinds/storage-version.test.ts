import assert from 'node:assert/strict';
import { withServers } from '../../../src/kinds/internal.apiserver/storage-version.ts';

const server = (apiServerID: string, encodingVersion: string) => ({ apiServerID, encodingVersion });
const [first, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

describe('the status of a StorageVersion', () => {
  it('has the version in which all servers write, and since when', () => {
    const one = withServers(undefined, [server('a', 'v1')], first);
    assert.equal(one.commonEncodingVersion, 'v1');
    const agreed = withServers(one, [server('a', 'v1'), server('b', 'v1')], later);
    assert.deepEqual(agreed.conditions, [
      {
        type: 'AllEncodingVersionsEqual',
        status: 'True',
        lastTransitionTime: first,
        reason: 'CommonEncodingVersionSet',
        message: 'Common encoding version set',
      },
    ]);
    const changed = withServers(agreed, [server('a', 'v2'), server('b', 'v2')], later);
    assert.equal(changed.conditions?.[0]?.lastTransitionTime, later);
  });

  it('has none while servers differ, or if there is none', () => {
    const agreed = withServers(undefined, [server('a', 'v1')], first);
    for (const servers of [[server('a', 'v1'), server('b', 'v2')], []]) {
      const { commonEncodingVersion, conditions } = withServers(agreed, servers, later);
      assert.equal(commonEncodingVersion, undefined);
      assert.deepEqual(
        [conditions?.[0]?.status, conditions?.[0]?.reason, conditions?.[0]?.lastTransitionTime],
        ['False', 'CommonEncodingVersionUnset', later],
      );
    }
  });
});
