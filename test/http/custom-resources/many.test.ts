import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { definitions, widgetsAt, widgetsIn } from './widgets.ts';

const count = 200;
const groups = Array.from({ length: count }, (_, index) => `g${index}.example.com`);

describe('many CustomResourceDefinitions', () => {
  it('are all served, while other requests run between them', async () => {
    await using server = await startServer({ store: 'memory' });
    const { blockMs } = await measureBlocks(() => createAll(server));
    // Not one request but hundreds of them, with their clients, in one process.
    assert.ok(blockMs < 1_000, `the event loop was blocked for ${blockMs} ms`);

    await Promise.all(groups.map((group) => request(server, 'DELETE', `${definitions}/widgets.${group}`)));
    for (const group of groups) {
      await until(`the end of ${group}`, async () => (await request(server, 'GET', widgetsAt(group))).status === 404);
    }
  });
});

async function createAll(server: TestServer): Promise<void> {
  await Promise.all(
    groups.map(async (group) => {
      const created = await request(server, 'POST', definitions, widgetsIn(group));
      assert.equal(created.status, 201, created.text);
    }),
  );
  for (const group of groups) {
    await until(`the widgets of ${group}`, async () => (await request(server, 'GET', widgetsAt(group))).status === 200);
  }
}
