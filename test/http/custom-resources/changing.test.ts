import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/index.ts';
import { readEvents, request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetSchema, widgetsAt, widgetsIn } from './widgets.ts';

const changes = 20;
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const [changing, quiet] = ['changing.example.com', 'quiet.example.com'];
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a definition that changes again and again', () => {
  it('ends the watches of its own resource alone, and fails no list', async () => {
    await using server = await startServer({ store: 'memory' });
    for (const group of [changing, quiet]) await define(server, widgetsIn(group));
    const bystanders = [widgetsAt(quiet), configMaps, definitions].map((path) => readEvents(server, `${path}?watch=1`));
    await until('the watches', () => bystanders.every(({ status }) => status === 200));
    const began = bystanders.map(({ events }) => events.length);

    const done = new AbortController();
    const statuses = new Set<number>();
    const load = async (path: string): Promise<void> => {
      while (!done.signal.aborted) statuses.add((await request(server, 'GET', path)).status);
    };
    const loads = [widgetsAt(changing), widgetsAt(quiet), configMaps].map(load);
    for (let turn = 0; turn < changes; turn++) {
      const schema = { openAPIV3Schema: { ...widgetSchema, description: `the change ${turn}` } };
      const patch = { spec: { versions: [versionOf('v1', { schema })] } };
      const patched = await request(server, 'PATCH', `${definitions}/widgets.${changing}`, patch, mergePatch);
      assert.equal(patched.status, 200, patched.text);
      const widget = { kind: 'Widget', metadata: { name: `w${turn}` }, spec: { size: 1 } };
      for (const group of [changing, quiet]) {
        const created = await request(server, 'POST', widgetsAt(group), widget);
        assert.equal(created.status, 201, created.text);
      }
      const configMap = { metadata: { name: `c${turn}` } };
      assert.equal((await request(server, 'POST', configMaps, configMap)).status, 201);
    }
    done.abort();
    await Promise.all(loads);
    assert.deepEqual([...statuses], [200]);

    for (const [index, watch] of bystanders.entries()) {
      await until('all events', () => watch.events.length - (began[index] ?? 0) >= changes);
      assert.equal(watch.ended, false);
      watch.stop();
    }
    const list = await request(server, 'GET', widgetsAt(changing));
    assert.equal((list.body as { items: unknown[] }).items.length, changes);
  });
});
