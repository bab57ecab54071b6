import type { TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

/**
 * Waits until a server is ready. One whose store does not answer at once, as on a busy machine,
 * listens before it has written its own objects.
 */
export async function untilReady(server: TestServer): Promise<void> {
  await until('readiness', async () => (await request(server, 'GET', '/readyz')).status === 200);
}
