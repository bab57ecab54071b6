import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { denyAll, startFixture } from './fixture.ts';

interface CpuProfile {
  readonly nodes: readonly object[];
  readonly startTime: number;
  readonly endTime: number;
}

describe('profiling', () => {
  it('is absent unless it is enabled', async () => {
    await using server = await startFixture();
    for (const path of ['/debug/profile', '/debug/heap']) assert.equal((await server.send({ path })).status, 404);
  });

  it('answers a CPU profile of the given time while other requests are served, one at a time', async () => {
    await using server = await startFixture({ options: { profiling: true } });
    const arrived = once(server.server, 'request');
    const profiled = server.send({ path: '/debug/profile?seconds=3' });
    await arrived;
    assert.equal((await server.send({ path: '/api/v1/configmaps' })).status, 200);
    const second = await server.send({ path: '/debug/heap' });
    assert.equal(second.status, 429);
    assert.equal(second.headers['retry-after'], '10');
    const response = await profiled;
    assert.equal(response.status, 200, response.text);
    const { nodes, startTime, endTime } = JSON.parse(response.text) as CpuProfile;
    assert.ok(nodes.length > 1);
    assert.ok(endTime - startTime > 2_900_000, String(endTime - startTime));
  });

  it('refuses durations that are none, and those longer than a request may take', async () => {
    await using server = await startFixture({ options: { profiling: true } });
    for (const seconds of ['0', '-1', '1.5', 'x', '56', '1e1']) {
      const { status } = await server.send({ path: `/debug/profile?seconds=${seconds}` });
      assert.equal(status, 400, seconds);
    }
    assert.equal((await server.send({ method: 'POST', path: '/debug/profile' })).status, 405);
  });

  it('stops when the time of the request is over, and can be used again', async () => {
    await using server = await startFixture({ options: { profiling: true } });
    assert.equal((await server.send({ path: '/debug/profile?seconds=20&timeout=100ms' })).status, 504);
    let again = 429;
    while (again === 429) again = (await server.send({ path: '/debug/profile?seconds=1' })).status;
    assert.equal(again, 200);
  });

  it('answers a heap snapshot', async () => {
    // A thread has a heap of its own, which is small: that of this one has what all tests of the process left.
    const thread = new Worker(new URL('./read-heap-snapshot.js', import.meta.url));
    const [{ status, text }] = (await once(thread, 'message')) as [{ status: number; text: string }];
    assert.equal(status, 200);
    assert.match(text.slice(0, 50), /^\{"snapshot":/);
    assert.ok(text.trimEnd().endsWith('}'));
  });

  it('is authorized as any path outside the API', async () => {
    await using server = await startFixture({ options: { profiling: true }, authorizers: [denyAll] });
    const { status, text } = await server.send({ path: '/debug/heap' });
    assert.equal(status, 403);
    assert.match(text, /cannot get path \\"\/debug\/heap\\"/);
  });
});
