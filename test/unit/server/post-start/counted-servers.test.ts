import assert from 'node:assert/strict';
import { countedServers } from '../../../../src/server/post-start/counted-servers.ts';

const server = (address: string) => ({ address, port: 6443 });
const addresses = (published: readonly string[], own: string, count: number) =>
  countedServers(published.map(server), server(own), count).map(({ address }) => address);

describe('the servers of the reconciler master-count', () => {
  it('stay in the order of their addresses, with this one', () => {
    assert.deepEqual(addresses([], '10.0.0.2', 1), ['10.0.0.2']);
    assert.deepEqual(addresses(['10.0.0.3', '10.0.0.1'], '10.0.0.2', 3), ['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  });

  it('push out those after them, then those before them', () => {
    assert.deepEqual(addresses(['10.0.0.1', '10.0.0.3'], '10.0.0.2', 2), ['10.0.0.1', '10.0.0.2']);
    assert.deepEqual(addresses(['10.0.0.1', '10.0.0.2'], '10.0.0.3', 2), ['10.0.0.2', '10.0.0.3']);
    assert.deepEqual(addresses(['10.0.0.1', '10.0.0.3'], '10.0.0.2', 1), ['10.0.0.2']);
  });
});
