import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from '../http-client.ts';
import { createNode, type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { idleConnections } from '../../idle-connections.ts';

const pod = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };

describe('a proxy without allowed networks', () => {
  let world: NodeWorld;

  before(async () => {
    world = await startNodeWorld({ proxyAllowedNetworks: [] });
  });
  after(() => world[Symbol.asyncDispose]());

  const addresses = [
    '127.0.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1',
    '224.0.0.1',
  ];
  for (const [index, address] of addresses.entries()) {
    it(`does not connect to a pod whose address is ${address}`, async () => {
      const name = `pod-${index}`;
      await world.createPod(name, pod, address);
      for (const path of [`${name}:80/proxy/`, `https:${name}:443/proxy/latest/meta-data`]) {
        const response = await request(world.server, 'GET', `${podsPath}/${path}`);
        assert.deepEqual(
          [response.status, (response.body as { message: string }).message],
          [400, 'address not allowed'],
        );
      }
    });
  }

  const hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.1', '169.254.169.254'];
  for (const [index, address] of hosts.entries()) {
    it(`does not connect to a node whose address is ${address}`, async () => {
      const name = `node-${index}`;
      const path = `/api/v1/nodes/${name}`;
      await createNode(world, name, world.agent.port);
      await world.patchStatus(path, { addresses: [{ type: 'Hostname', address }] });
      await world.createPod(`on-${name}`, { ...pod, nodeName: name });
      const before = world.agent.seen.length;
      for (const at of [`${path}/proxy/`, `/api/v1/nodes/${name}:8080/proxy/`, `${podsPath}/on-${name}/log`]) {
        const response = await request(world.server, 'GET', at);
        assert.deepEqual(
          [response.status, (response.body as { message: string }).message],
          [400, 'address not allowed'],
          at,
        );
      }
      assert.equal(world.agent.seen.length, before);
    });
  }
});

describe('a proxy with an allowed network', () => {
  it('reaches the addresses in it, and no others', async () => {
    await using world = await startNodeWorld({ proxyAllowedNetworks: ['127.0.0.1/32'] });
    const target = createServer(idleConnections, (_message, response) => response.end('reached')).listen(
      0,
      '127.0.0.1',
    );
    await once(target, 'listening');
    // A listening TCP server has such an address.
    const { port } = target.address() as AddressInfo;
    await world.createPod('near', pod, '127.0.0.1');
    await world.createPod('far', pod, '127.0.0.2');
    const near = await request(world.server, 'GET', `${podsPath}/near:${port}/proxy/`);
    assert.deepEqual([near.status, near.text], [200, 'reached']);
    assert.equal((await request(world.server, 'GET', `${podsPath}/far:${port}/proxy/`)).status, 400);
    target.closeAllConnections();
    target.close();
  });
});
