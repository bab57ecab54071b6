import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startServer } from './start-server.ts';
import type { LargePosts } from './post-large-objects.ts';

describe('large objects on one connection of HTTP/1.1', () => {
  // Node's parser had been paused by the large answer before, and took the body for malformed.
  it('are written one right after the other', async () => {
    assert.deepEqual(
      await statusesOf({ count: 200, size: 100_000, listing: false }),
      Array.from({ length: 200 }, () => 201),
    );
  });

  it('are written right after large lists', async () => {
    assert.deepEqual(
      await statusesOf({ count: 100, size: 20_000, listing: true }),
      Array.from({ length: 100 }, () => 201),
    );
  });
});

async function statusesOf(posts: Pick<LargePosts, 'count' | 'size' | 'listing'>): Promise<unknown> {
  await using server = await startServer({ store: 'etcd' });
  const { url, ca, token } = server;
  const workerData: LargePosts = { url, ca, token, ...posts };
  const client = new Worker(new URL('post-large-objects.js', import.meta.url), { workerData });
  const [statuses] = (await once(client, 'message')) as [unknown];
  return statuses;
}
