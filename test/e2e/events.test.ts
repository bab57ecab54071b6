import assert from 'node:assert/strict';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { readEvents, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';

const events = '/api/v1/namespaces/default/events';
const eventTtlMs = 3_000;

const event = (name: string, count = 1): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  reason: 'Tested',
  count,
});

for (const store of ['memory', 'etcd'] as const) {
  describe(`Events, kept for a while (store: ${store})`, () => {
    let server: TestServer;

    before(async () => {
      server = await startServer({ store, eventTtlMs });
    });
    after(() => server.stop());

    const names = async (): Promise<readonly string[]> => {
      const { body } = await request(server, 'GET', events);
      // A list of Events, as the other stories of lists prove.
      return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    };

    it('expire, and watches and lists of the cache see it', async () => {
      const watch = readEvents(server, `${events}?watch=true`);
      await until('the watch is open', () => watch.status === 200);
      await Promise.all(['a', 'b', 'c'].map((name) => request(server, 'POST', events, event(name))));
      await until('all are deleted', () => watch.events.filter(({ type }) => type === 'DELETED').length === 3);
      watch.stop();
      const deleted = watch.events.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name);
      assert.deepEqual(
        deleted.toSorted((a, b) => a.localeCompare(b)),
        ['a', 'b', 'c'],
      );
      assert.deepEqual(await names(), []);
      const again = await request(server, 'POST', events, event('a'));
      assert.equal(again.status, 201);
      assert.equal((await request(server, 'GET', `${events}/a`)).status, 200);
    });

    it('live on when they are written again', async () => {
      await request(server, 'POST', events, event('left'));
      await request(server, 'POST', events, event('renewed'));
      for (let count = 2; (await names()).includes('left'); count++) {
        assert.equal((await request(server, 'PUT', `${events}/renewed`, event('renewed', count))).status, 200);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      assert.equal((await request(server, 'GET', `${events}/renewed`)).status, 200);
    });

    it('are the only objects that do', async () => {
      const configMaps = '/api/v1/namespaces/default/configmaps';
      await request(server, 'POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stays' } });
      await request(server, 'POST', events, event('goes'));
      await until('the event is gone', async () => !(await names()).includes('goes'));
      assert.equal((await request(server, 'GET', `${configMaps}/stays`)).status, 200);
    });
  });
}
