import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import { objectsPrefix } from '../../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { agentOf, type HttpResponse, request, type Target } from '../../http/http-client.ts';
import { type OpenWatch, openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';
import { until } from '../../http/until.ts';
import { type EtcdMember, startMembers } from '../etcd-members.ts';
import { openTcpWay, type TcpWay } from '../tcp-way.ts';
import { startServer } from '../../e2e/start-server.ts';

const prefix = '/registry';
const location = { group: '', resource: 'configmaps' };

async function storedNames(store: ObjectStore): Promise<readonly string[]> {
  const start = objectsPrefix(prefix, location, 'default');
  const names: string[] = [];
  for await (const { values } of store.list(start)) names.push(...values.map(({ key }) => key.slice(start.length)));
  return names;
}

function namesOf(response: HttpResponse): readonly string[] {
  return listOf(response).items.map(({ metadata }) => metadata.name);
}

/** On a connection of its own, so that each worker is asked. */
async function onOwnConnection(server: Target, target: string): Promise<HttpResponse> {
  const own = { ...server };
  try {
    return await request(own, 'GET', target);
  } finally {
    await agentOf(own).close();
  }
}

/**
 * Reads until the watches have ended and the server is ready again; each answer until then is right or an error, and afterwards it is
 * right.
 */
async function checkReads(server: Target, store: ObjectStore, watches: readonly OpenWatch[]): Promise<void> {
  const stored = await storedNames(store);
  let ended = 0;
  for (const watch of watches) void watch.ended.then(() => ended++);
  await until('the end of the watches', async () => {
    const response = await onOwnConnection(server, configMaps);
    if (response.status === 200) assert.deepEqual(namesOf(response), stored);
    return ended === watches.length;
  });
  for (const { events } of watches) {
    assert.deepEqual(
      events.map(({ type, object }) => [type, object['code'], object['reason']]),
      [['ERROR', 410, 'Expired']],
    );
  }
  await until('readyz', async () => (await onOwnConnection(server, '/readyz')).status === 200);
  for (let i = 0; i < 8; i++) {
    assert.deepEqual(namesOf(await onOwnConnection(server, configMaps)), stored);
    assert.deepEqual(namesOf(await onOwnConnection(server, `${configMaps}?resourceVersion=0`)), stored);
  }
}

/** Restores all members from their copies, while none of them runs. */
async function restoreAll(members: readonly EtcdMember[]): Promise<void> {
  await Promise.all(members.map((member) => member.kill()));
  await Promise.all(members.map((member) => member.restore()));
}

async function revisionOf(server: Target): Promise<number> {
  return Number(listOf(await request(server, 'GET', `${configMaps}?limit=1`)).metadata.resourceVersion);
}

describe('a server whose etcd is restored and written by others before it can see it', () => {
  let directory: string;
  let members: EtcdMember[];
  let store: ObjectStore;
  /** The way of a server that can be kept from etcd. */
  let way: TcpWay | undefined;

  const openRaw = async (): Promise<void> => {
    store = await openEtcdStore({ endpoints: members.map(({ endpoint }) => endpoint), prefix });
  };
  const open = async (count: number): Promise<void> => {
    members = await startMembers(count, directory);
    await openRaw();
  };
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-restored-'));
  });
  afterEach(async () => {
    way?.close();
    way = undefined;
    await store.close();
    await Promise.all(members.map((member) => member.close()));
    await rm(directory, { recursive: true, force: true });
  });

  it('follows two servers, of which one stood still, through restores in a row', async () => {
    await open(1);
    const [etcd] = members;
    assert.ok(etcd);
    way = await openTcpWay(etcd.endpoint);
    await using late = await startServer({ store: { kind: 'etcd', servers: [way.endpoint] }, compactionIntervalMs: 0 });
    await using early = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
    });
    await createConfigMap(early, 'kept');
    await etcd.save();
    for (let round = 0; round < 3; round++) {
      for (const server of [early, late]) {
        await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
      }
      for (let i = 0; i < 5; i++) await createConfigMap(late, `round-${round}-${i}`);
      const from = await revisionOf(late);
      const watch = await openWatch(late, `${configMaps}?watch=1&resourceVersion=${from}`);
      way.cut();
      await restoreAll(members);
      await until('the other server', async () => (await request(early, 'GET', '/readyz')).status === 200);
      await until('a write', async () => {
        const name = `first-${round}`;
        return (await request(early, 'POST', configMaps, { metadata: { name } })).status === 201;
      });
      for (let i = 0; (await revisionOf(early)) < from + round; i++) await createConfigMap(early, `next-${round}-${i}`);
      way.mend();
      await store.close();
      await openRaw();
      await checkReads(late, store, [watch]);
    }
  });
});
