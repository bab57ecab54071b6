import assert from 'node:assert/strict';
import { startServer } from '../../src/testing/index.ts';
import { readEvents, request } from './http-client.ts';
import { until } from './until.ts';

describe('starting and stopping', () => {
  it('starts in process, ready to serve', async () => {
    await using server = await startServer({ store: 'memory' });
    const response = await request(server, 'GET', '/readyz');
    assert.equal(response.status, 200, response.text);
  });

  it('closes with watches open, which end cleanly', async () => {
    const server = await startServer();
    const watches = Array.from({ length: 20 }, () => readEvents(server, '/api/v1/namespaces?watch=1'));
    await until('every watch to have begun', () => watches.every((watch) => watch.events.length >= 4));
    await server.stop();
    await until('every watch to have ended', () => watches.every((watch) => watch.ended));
  });

  it('runs several servers with different identifiers in one process', async () => {
    await using one = await startServer({ identifiers: 'cluster' });
    await using two = await startServer({ identifiers: 'kubernetes' });
    const groups = async (server: typeof one): Promise<string[]> => {
      const { body } = await request(server, 'GET', '/apis');
      return (body as { groups: { name: string }[] }).groups.map((group) => group.name);
    };
    assert.ok((await groups(one)).includes('networking.cl.io'));
    assert.ok((await groups(two)).includes('networking.k8s.io'));
    const namespaces = async (server: typeof one): Promise<string[]> => {
      const { body } = await request(server, 'GET', '/api/v1/namespaces');
      return (body as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name);
    };
    assert.deepEqual(await namespaces(one), ['cl-node-lease', 'cl-public', 'cl-system', 'default']);
    assert.deepEqual(await namespaces(two), ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });
});
