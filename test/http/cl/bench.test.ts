import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

describe('cl bench', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer();
    cl = await createClRunner(server);
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  const isClean = () =>
    until('the namespace is being deleted, and its objects are gone', async () => {
      const { text } = await request(server, 'GET', '/api/v1/namespaces');
      const namespaces = (JSON.parse(text) as { items: { metadata: { name: string; deletionTimestamp?: string } }[] })
        .items;
      const left = namespaces.filter(
        ({ metadata }) => metadata.name.startsWith('bench-') && !metadata.deletionTimestamp,
      );
      const objects = await request(server, 'GET', '/api/v1/configmaps');
      return left.length === 0 && !objects.text.includes('object-');
    });

  it('prints a line for each kind of request, and leaves nothing behind', async () => {
    const { code, out, err } = await cl.run('bench --for=50ms --clients=2 --objects=10');
    assert.equal(code, 0, err);
    const [heading = '', ...lines] = out.trimEnd().split('\n');
    assert.match(heading, /^REQUEST +CALLS +PER S +P50 MS +P99 MS +FAILED +OVER TIME$/);
    const kinds = ['create', 'get', 'list', 'list, cached', 'patch', 'apply', 'write to event', 'delete'];
    assert.deepEqual(
      lines.map((line) => line.slice(0, 16).trim()),
      kinds,
    );
    await isClean();
  });

  it('prints JSON for programs, with as many calls as were asked for', async () => {
    const { out } = await cl.run('bench --for=10s --clients=3 --objects=7 -o json', '--for=30ms');
    const results = JSON.parse(out) as { name: string; calls: number; failures: number }[];
    const [created] = results;
    assert.equal(created?.failures, 0);
    assert.ok((created?.calls ?? 0) <= 7 && (created?.calls ?? 0) > 0);
    await isClean();
  });
});
