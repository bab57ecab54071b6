import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEtcd, startLocalEtcd } from '../../../src/etcd/local-etcd.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { request } from '../../http/http-client.ts';
import { until } from '../../http/until.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf, statusOf } from '../../http/reads/world.ts';

async function namesIn(server: TestServer, query = ''): Promise<string[]> {
  return listOf(await request(server, 'GET', `${configMaps}${query}`)).items.map(({ metadata }) => metadata.name);
}

describe('a server whose etcd gets other data on the same port', () => {
  let directory: string;
  let etcd: Awaited<ReturnType<typeof startLocalEtcd>>;
  let binary: string;
  let clientPort: number;
  const dataDir = (which: string): string => path.join(directory, which);

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-replaced-'));
    binary = await findEtcd();
    etcd = await startLocalEtcd({ binary, dataDir: dataDir('first') });
    clientPort = etcd.clientPort;
  });
  afterEach(async () => {
    await etcd.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Ends etcd as a crash would and starts it on other data. */
  async function startOn(which: string): Promise<void> {
    await etcd.kill();
    etcd = await startLocalEtcd({ binary, dataDir: dataDir(which), clientPort, peerPort: etcd.peerPort });
  }

  async function untilReady(server: TestServer): Promise<void> {
    await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
  }

  /**
   * Replaces the data, and waits until the server has noticed, which ends the watch, and is ready again. How long it is not ready
   * between is nobody's promise: it may be shorter than the time between two looks.
   */
  async function replaceBy(
    which: string,
    server: TestServer,
    watch: { readonly ended: Promise<unknown> },
  ): Promise<void> {
    await startOn(which);
    const noticed = watch.ended.then(() => true);
    // A server that nobody asks anything has nothing to notice it by.
    await until('the watch to end', async () => {
      await request(server, 'GET', '/readyz');
      return await Promise.race([noticed, Promise.resolve(false)]);
    });
    await untilReady(server);
  }

  it('notices a restored backup: watches end with 410, and everything is read again', async () => {
    await using server = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
    });
    await createConfigMap(server, 'kept');
    await etcd.stop();
    await cp(dataDir('first'), dataDir('backup'), { recursive: true });
    await startOn('first');
    await untilReady(server);
    for (let i = 0; i < 20; i++) await createConfigMap(server, `lost-${i}`);
    const last = await createConfigMap(server, 'lost');
    const watch = await openWatch(server, `${configMaps}?watch=1&resourceVersion=${last}`);

    await replaceBy('backup', server, watch);
    assert.deepEqual(
      watch.events.map(({ type, object }) => [type, object['code'], object['reason']]),
      [['ERROR', 410, 'Expired']],
    );
    assert.deepEqual(await namesIn(server), ['kept']);
    assert.deepEqual(await namesIn(server, '?resourceVersion=0'), ['kept']);
    const future = await request(server, 'GET', `${configMaps}?resourceVersion=${last}`);
    assert.equal(future.status, 504, 'what was seen before is in the future now');
    assert.equal(statusOf(future).details?.causes?.[0]?.reason, 'ResourceVersionTooLarge');
    const again = await openWatch(server, `${configMaps}?watch=1`);
    await createConfigMap(server, 'new');
    await until('the new watch', () => again.events.length === 2);
    again.stop();
  });

  it('notices another, empty etcd, claims it and makes its namespaces', async () => {
    await using server = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
    });
    await createConfigMap(server, 'lost');
    const watch = await openWatch(server, `${configMaps}?watch=1`);
    await replaceBy('second', server, watch);
    assert.deepEqual(
      watch.events.map(({ type }) => type),
      ['ADDED', 'ERROR'],
    );
    assert.deepEqual(await namesIn(server), []);
    const namespaces = listOf(await request(server, 'GET', '/api/v1/namespaces'));
    assert.ok(namespaces.items.some(({ metadata }) => metadata.name === 'default'));
    await createConfigMap(server, 'new');
    assert.deepEqual(await namesIn(server), ['new']);
  });

  it('resumes its watches after the last delivered event when etcd comes back with its data', async () => {
    await using server = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
    });
    await createConfigMap(server, 'before');
    const watch = await openWatch(server, `${configMaps}?watch=1`);
    await startOn('first');
    await untilReady(server);
    await createConfigMap(server, 'after');
    await until('the event', () => watch.events.length === 2);
    assert.deepEqual(
      watch.events.map(({ type, object }) => [type, object.metadata.name]),
      [
        ['ADDED', 'before'],
        ['ADDED', 'after'],
      ],
    );
    watch.stop();
  });
});
