import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { definitions, widgetsAt, widgetsIn } from './widgets.ts';

const count = 200;
const groups = Array.from({ length: count }, (_, index) => `g${index}.example.com`);

describe('many CustomResourceDefinitions', () => {
  it('are all served, while other requests run between them', async () => {
    await using server = await startServer({ store: 'memory' });
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    await Promise.all(
      groups.map(async (group) => {
        const created = await request(server, 'POST', definitions, widgetsIn(group));
        assert.equal(created.status, 201, created.text);
      }),
    );
    for (const group of groups) {
      await until(
        `the widgets of ${group}`,
        async () => (await request(server, 'GET', widgetsAt(group))).status === 200,
      );
    }
    delay.disable();
    // The bar of all input is 250 ms; a busy machine takes its time.
    assert.ok(delay.max < 1e9, `the event loop was blocked for ${delay.max / 1e6} ms`);

    await Promise.all(groups.map((group) => request(server, 'DELETE', `${definitions}/widgets.${group}`)));
    for (const group of groups) {
      await until(`the end of ${group}`, async () => (await request(server, 'GET', widgetsAt(group))).status === 404);
    }
  });
});
