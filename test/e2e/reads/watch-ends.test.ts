import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd } from '../local-store.ts';
import { until } from '../../http/until.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf, statusOf } from '../../http/reads/world.ts';

const deprecated = '/api/v1/watch/namespaces/default/configmaps';

describe('watches', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ compactionIntervalMs: 0 });
    await createConfigMap(server, 'one');
  });
  after(() => server.stop());

  it('end cleanly after timeoutSeconds, two seconds behind a bookmark for those who asked', async () => {
    const present = await createConfigMap(server, 'present');
    const path = `${configMaps}?watch=1&timeoutSeconds=4&resourceVersion=${present}`;
    const began = performance.now();
    const [asked, unasked] = await Promise.all([
      openWatch(server, `${path}&allowWatchBookmarks=true`),
      openWatch(server, path),
    ]);
    await until('the bookmark', () => asked.events.length > 0);
    const bookmarkMs = performance.now() - began;
    assert.ok(bookmarkMs > 500, `the bookmark came after ${bookmarkMs} ms`);
    assert.deepEqual(asked.events, [
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { resourceVersion: String(present), creationTimestamp: null },
        },
      },
    ]);
    assert.deepEqual(await Promise.all([asked.ended, unasked.ended]), [true, true]);
    const endMs = performance.now() - began;
    assert.ok(endMs > 3_900, `the end came after ${endMs} ms`);
    assert.deepEqual(unasked.events, []);
  });

  it('take a timeoutSeconds that is none for none', async () => {
    for (const value of ['0', '9223372036854775807']) {
      const watch = await openWatch(server, `${configMaps}?watch=1&timeoutSeconds=${value}`);
      assert.equal(watch.status, 200);
      await until('the state', () => watch.events.length > 0);
      watch.stop();
    }
    assert.equal((await openWatch(server, `${configMaps}?watch=1&timeoutSeconds=abc`)).status, 400);
  });

  it('show one object alone, by its name as a field or in the deprecated path', async () => {
    for (const path of [`${configMaps}?watch=1&fieldSelector=metadata.name%3Dsolo`, `${deprecated}/solo`]) {
      const watch = await openWatch(server, path);
      await createConfigMap(server, `not-solo-${path.length}`);
      await createConfigMap(server, 'solo');
      await request(server, 'DELETE', `${configMaps}/solo`);
      await until('both events', () => watch.events.length >= 2);
      assert.deepEqual(
        watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
        ['ADDED solo', 'DELETED solo'],
      );
      watch.stop();
    }
  });

  it('do not take the path of one object for a watch, whatever its parameter says', async () => {
    const response = await request(server, 'GET', `${configMaps}/one?watch=1`);
    assert.match(response.text, /^\{"kind":"ConfigMap",/);
  });
});

describe('watches from the past', () => {
  it("deliver events from etcd's history through a server that started later", async () => {
    await using etcd = await startTestEtcd();
    const options = { store: { kind: 'etcd', servers: [etcd.endpoint] }, compactionIntervalMs: 0 } as const;
    let start = 0;
    {
      await using first = await startServer(options);
      start = await createConfigMap(first, 'start');
      for (let i = 0; i < 30; i++) await createConfigMap(first, `seen-${i}`);
      await request(first, 'DELETE', `${configMaps}/seen-7`);
    }
    await using second = await startServer(options);
    const watch = await openWatch(second, `${configMaps}?watch=1&resourceVersion=${start}`);
    assert.equal(watch.status, 200);
    await createConfigMap(second, 'live');
    await until('everything', () => watch.events.length === 32);
    const received = watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(received.slice(-2), ['DELETED seen-7', 'ADDED live']);
    assert.deepEqual(
      received.slice(0, 30),
      Array.from({ length: 30 }, (_, i) => `ADDED seen-${i}`),
    );
    watch.stop();
  });

  for (const store of ['memory', 'etcd'] as const) {
    it(`are refused with 410 as the status when the past is compacted (${store})`, async () => {
      await using server = await startServer({ store, compactionIntervalMs: 200, watchHistoryMs: 1 });
      const past = await createConfigMap(server, 'past');
      await createConfigMap(server, 'later');
      const path = `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${past}`;
      await until('410', async () => (await openWatch(server, path)).status === 410);
      const refused = await request(server, 'GET', path);
      const { reason, message } = statusOf(refused);
      assert.equal(reason, 'Expired');
      assert.match(message, new RegExp(`^too old resource version: ${past} \\(\\d+\\)$`));
      const { metadata } = listOf(await request(server, 'GET', configMaps));
      const watch = await openWatch(server, `${configMaps}?watch=1&resourceVersion=${metadata.resourceVersion}`);
      await createConfigMap(server, 'afterwards');
      await until('a watch from a new list', () => watch.events.length === 1);
      watch.stop();
    });
  }
});
