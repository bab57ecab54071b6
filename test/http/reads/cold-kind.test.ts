import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { ListPage, ObjectStore } from '../../../src/storage/port/object-store.ts';
import { serveStore } from '../../../src/storage/remote/store-server.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';
import { configMaps, createConfigMap, listOf } from './world.ts';

const secrets = '/api/v1/namespaces/default/secrets';

/** A store whose lists of one kind wait. */
class SlowStore extends MemoryStore implements ObjectStore {
  readonly release = newDeferred<void>();
  waiting = 0;

  override async *list(...args: Parameters<MemoryStore['list']>): AsyncGenerator<ListPage, void, undefined> {
    if (args[0].includes('/secrets/')) {
      this.waiting++;
      await this.release.promise;
    }
    yield* super.list(...args);
  }
}

describe('a kind that is being read for the first time', function () {
  it('is read once for all who ask, and holds up neither other kinds nor single objects', async () => {
    const store = new SlowStore();
    const served = await serveStore(store, '127.0.0.1:0');
    {
      await using server = await startServer({
        store: { kind: 'remote', endpoint: served.endpoint },
        compactionIntervalMs: 0,
      });
      assert.equal((await request(server, 'POST', secrets, { metadata: { name: 's' } })).status, 201);
      const lists = ['', '?resourceVersion=0', '?limit=1'].map((query) => request(server, 'GET', secrets + query));
      const watch = openWatch(server, `${secrets}?watch=1`);
      await until('the kind to be read', () => store.waiting > 0);

      await createConfigMap(server, 'other');
      assert.equal(listOf(await request(server, 'GET', configMaps)).items.length, 1);
      assert.equal((await request(server, 'GET', `${secrets}/s`)).status, 200);
      assert.equal((await request(server, 'GET', '/readyz')).status, 200);

      store.release.resolve();
      for (const list of await Promise.all(lists)) assert.equal(listOf(list).items.length, 1);
      const opened = await watch;
      await until('the state', () => opened.events.length === 1);
      assert.equal(store.waiting, 1);
      opened.stop();
    }
    await served.close();
    await store.close();
  });
});
