import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { openTcpWay, type TcpWay } from '../../robustness/tcp-way.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd, type TestEtcd } from '../local-store.ts';
import { until } from '../../http/until.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';

describe('the connection that carries the watch on etcd, broken alone', () => {
  const ways: readonly (readonly [what: string, act: (way: TcpWay) => void])[] = [
    ['with an end', (way) => way.cutWatches()],
    ['without a word', (way) => way.silenceWatches()],
  ];
  for (const [what, breakIt] of ways) {
    it(`${what}: the server says so, lists are right, and watches go on without a gap`, async () => {
      await using world = await startWorld();
      const { way, near, far } = world;
      const watch = await openWatch(near, `${configMaps}?watch=1`);
      await createConfigMap(far, 'a');
      await until('the first event', () => watch.events.length === 1);

      breakIt(way);
      // Nobody reads meanwhile: the server finds out by itself.
      await until('not ready', async () => (await watchCheck(near)) === '[-]storage-watch');
      const { text } = await request(near, 'GET', '/readyz?verbose');
      assert.match(text, /\[\+\]etcd ok\n/);
      assert.equal((await request(near, 'GET', '/livez')).status, 200);

      for (const name of ['b', 'c', 'd', 'e', 'f']) {
        await createConfigMap(far, name);
        assert.equal((await names(near, '')).at(-1), name);
      }
      assert.deepEqual(await names(near, '?resourceVersion=0'), ['a']);
      assert.equal((await request(near, 'GET', `${configMaps}/f`)).status, 200);
      assert.equal(watch.events.length, 1);

      way.mend();
      await until('ready', async () => (await watchCheck(near)) === '[+]storage-watch');
      await createConfigMap(far, 'g');
      await until('all events', () => watch.events.length >= 7);
      assert.deepEqual(
        watch.events.map(({ type, object }) => [type, object.metadata.name]),
        Array.from('abcdefg', (name) => ['ADDED', name]),
      );
      assert.deepEqual(await names(near, '?resourceVersion=0'), Array.from('abcdefg'));
      watch.stop();
    });
  }
});

interface World extends AsyncDisposable {
  readonly etcd: TestEtcd;
  readonly way: TcpWay;
  /** On the way that breaks. */
  readonly near: TestServer;
  /** Straight on etcd. */
  readonly far: TestServer;
}

async function startWorld(): Promise<World> {
  const etcd = await startTestEtcd();
  const way = await openTcpWay(etcd.endpoint);
  const start = (endpoint: string): Promise<TestServer> =>
    startServer({ store: { kind: 'etcd', servers: [endpoint] }, compactionIntervalMs: 0 });
  const near = await start(way.endpoint);
  const far = await start(etcd.endpoint);
  return {
    etcd,
    way,
    near,
    far,
    [Symbol.asyncDispose]: async () => {
      await near[Symbol.asyncDispose]();
      await far[Symbol.asyncDispose]();
      way.close();
      await etcd[Symbol.asyncDispose]();
    },
  };
}

/** The line about the watch in what `/readyz` answers, without its end. */
async function watchCheck(server: TestServer): Promise<string | undefined> {
  const { text } = await request(server, 'GET', '/readyz?verbose');
  return /^\[.\]storage-watch/m.exec(text)?.[0];
}

async function names(server: TestServer, query: string): Promise<string[]> {
  const { items } = listOf(await request(server, 'GET', configMaps + query));
  return items.map(({ metadata }) => metadata.name);
}
