import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startServer } from '../../src/testing/index.ts';
import type { LargePosts } from './post-large-objects.ts';

describe('large objects on one connection of HTTP/1.1', function () {
  this.timeout(60_000);

  // Node's parser had been paused by the large answer before, and took the body for malformed.
  it('are written one right after the other', async () => {
    await using server = await startServer({ store: 'etcd' });
    const { url, ca, token } = server;
    const count = 200;
    const workerData: LargePosts = { url, ca, token, count };
    const client = new Worker(new URL('post-large-objects.js', import.meta.url), { workerData });
    assert.deepEqual(await once(client, 'message'), [Array.from({ length: count }, () => 201)]);
  });
});
