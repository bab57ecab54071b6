import assert from 'node:assert/strict';
import { clientNetwork } from '../../../src/listen/client-network.ts';

describe('the network of a client', () => {
  it('is its address in IPv4, also inside IPv6, and the first half of its address in IPv6', () => {
    const networks = {
      '10.0.0.1': '10.0.0.1',
      '::ffff:10.0.0.1': '10.0.0.1',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      '2001:db8:1:2:ffff::1': '2001:db8:1:2',
      '2001:db8::1': '2001:db8:0:0',
      '::1': '0:0:0:0',
      'fe80::1%eth0': 'fe80:0:0:0',
    };
    for (const [address, network] of Object.entries(networks)) assert.equal(clientNetwork(address), network);
  });
});
