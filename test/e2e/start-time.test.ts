import assert from 'node:assert/strict';
import { startServer } from '../../src/testing/index.ts';
import { readEvents, request } from './http-client.ts';
import { until } from './until.ts';

describe('starting and stopping', () => {
  it('starts in process in under half a second, ready to serve', async () => {
    // The first start of a process also reads the code from disk and compiles the schemas.
    await (await startServer()).stop();
    const begin = performance.now();
    await using server = await startServer({ store: 'memory' });
    const answer = await request(server, 'GET', '/readyz');
    const elapsed = performance.now() - begin;
    console.log(`        startServer({store: 'memory'}) to readyz: ${elapsed.toFixed(0)} ms`);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(elapsed < 500, `${elapsed} ms`);
  });

  it('closes in under a second with watches open, which end cleanly', async () => {
    const server = await startServer();
    const watches = Array.from({ length: 20 }, () => readEvents(server, '/api/v1/namespaces?watch=1'));
    await until('every watch to have begun', () => watches.every((watch) => watch.events.length >= 4));
    const begin = performance.now();
    await server.stop();
    assert.ok(performance.now() - begin < 1000, `${performance.now() - begin} ms`);
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
