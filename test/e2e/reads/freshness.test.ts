import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd } from '../local-store.ts';
import { until } from '../../http/until.ts';
import { type OpenWatch, openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';

const secrets = '/api/v1/namespaces/default/secrets';

async function versionOf(server: TestServer, path: string): Promise<number> {
  return Number(listOf(await request(server, 'GET', path)).metadata.resourceVersion);
}

for (const store of ['memory', 'etcd'] as const) {
  describe(`the freshness of reads (${store})`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ store, compactionIntervalMs: 0 });
    });
    after(() => server.stop());

    it('waits for a version that comes within three seconds', async () => {
      const present = await createConfigMap(server, 'awaited');
      const reads = [
        `${configMaps}?resourceVersion=${present + 1}`,
        `${configMaps}?resourceVersion=${present + 1}&resourceVersionMatch=NotOlderThan`,
        `${configMaps}?resourceVersion=${present + 1}&resourceVersionMatch=Exact`,
        `${configMaps}?resourceVersion=${present + 1}&limit=500`,
        `${configMaps}/awaited?resourceVersion=${present + 1}`,
      ].map((path) => request(server, 'GET', path));
      await sleep(300);
      await createConfigMap(server, 'arrived');
      for (const response of await Promise.all(reads)) assert.equal(response.status, 200, response.text);
      assert.equal(await versionOf(server, `${configMaps}?resourceVersion=${present + 1}&limit=5`), present + 1);
    });

    /** Opens a watch and writes another kind before its bookmark comes; again where the machine is too slow for it. */
    async function writeBeforeBookmark(tries = 1): Promise<{ readonly watch: OpenWatch; readonly written: number }> {
      const watch = await openWatch(server, `${secrets}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3`);
      const written = await createConfigMap(server, `elsewhere-${tries}`);
      if (watch.events.length === 0) return { watch, written };
      watch.stop();
      return writeBeforeBookmark(tries + 1);
    }

    it('lets the version of an idle kind advance with the writes of others, in lists and in bookmarks', async () => {
      const before = await versionOf(server, secrets);
      const { watch, written } = await writeBeforeBookmark();
      assert.ok(before < written);
      assert.ok((await versionOf(server, secrets)) >= written);
      await until(
        'any version at hand',
        async () => (await versionOf(server, `${secrets}?resourceVersion=0`)) >= written,
      );
      await watch.ended;
      assert.deepEqual(
        watch.events.map(({ type }) => type),
        ['BOOKMARK'],
      );
      assert.ok(Number(watch.events[0]?.object.metadata.resourceVersion) >= written);
    });
  });
}

describe('the freshness of reads through two servers on one etcd', () => {
  it('is that of the last write through either, unset or by its version', async () => {
    await using etcd = await startTestEtcd();
    const options = { store: { kind: 'etcd', servers: [etcd.endpoint] }, compactionIntervalMs: 0 } as const;
    await using one = await startServer(options);
    await using two = await startServer(options);
    for (let turn = 0; turn < 50; turn++) {
      const [writer, reader] = turn % 2 === 0 ? [one, two] : [two, one];
      const name = `turn-${turn}`;
      const written = await createConfigMap(writer, name);
      const [list, object, listed] = await Promise.all([
        request(reader, 'GET', configMaps),
        request(reader, 'GET', `${configMaps}/${name}`),
        request(reader, 'GET', `${configMaps}?resourceVersion=${written}`),
      ]);
      assert.equal(object.status, 200);
      for (const response of [list, listed]) {
        const { items, metadata } = listOf(response);
        assert.ok(Number(metadata.resourceVersion) >= written);
        assert.ok(items.some((item) => item.metadata.name === name));
      }
    }
  });
});
