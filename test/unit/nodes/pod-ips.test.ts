import assert from 'node:assert/strict';
import { PodIps } from '../../../src/nodes/agent/pod-ips.ts';

describe('addresses of pods on stand-in nodes', () => {
  it('are not those of pods from before a restart, until these are gone', () => {
    const ips = new PodIps();
    ips.note('before', '10.64.0.1');
    ips.note('other', '10.64.0.3');
    assert.deepEqual(
      [ips.of('a'), ips.of('b'), ips.of('a'), ips.of('before')],
      ['10.64.0.2', '10.64.0.4', '10.64.0.2', '10.64.0.1'],
    );
    ips.release('before');
    ips.note('a', '10.64.0.9');
    assert.equal(ips.of('a'), '10.64.0.2');
    assert.equal(ips.of('before'), '10.64.0.5');
  });
});
