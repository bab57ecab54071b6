import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { freezeProcess } from '../../contract/etcd-fixture.ts';
import { request, type Target } from '../../http/http-client.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';
import { until } from '../../http/until.ts';
import { type EtcdMember, startMembers } from '../../robustness/etcd-members.ts';
import { openTcpWay, type TcpWay } from '../../robustness/tcp-way.ts';
import { startServer } from '../start-server.ts';
import { checkReads, configMapsAt, onOwnConnection, prefix, restoreAll } from './restored-reads.ts';
import { startWorkers, workersOf } from '../worker-processes.ts';

/** How far other servers have written the restored store, from the revision that the server has seen. */
const distances = [
  { what: 'up to the revision that the server has seen', distance: 0 },
  { what: 'past it', distance: 7 },
  { what: 'not so far', distance: -3 },
] as const;

/** Objects that another server writes; nothing but their names is of interest. */
async function writeRaw(store: ObjectStore, name: string): Promise<void> {
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default', uid: crypto.randomUUID() },
  };
  await store.create(objectKey(prefix, configMapsAt, 'default', name), encodeStoredObject(object));
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

  for (const { what, distance } of distances) {
    it(`answers from what is there, when they have written ${what}`, async () => {
      await open(1);
      const [etcd] = members;
      assert.ok(etcd);
      way = await openTcpWay(etcd.endpoint);
      await using server = await startServer({
        store: { kind: 'etcd', servers: [way.endpoint] },
        compactionIntervalMs: 0,
      });
      await createConfigMap(server, 'kept');
      await etcd.save();
      await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
      for (let i = 0; i < 20; i++) await createConfigMap(server, `lost-${i}`);
      const watch = await openWatch(server, `${configMaps}?watch=1&resourceVersion=${await revisionOf(server)}`);
      const seen = await revisionOf(server);
      way.cut();
      await restoreAll(members);
      for (let i = 0; (await store.status()).revision < seen + distance; i++) await writeRaw(store, `new-${i}`);
      way.mend();
      await checkReads(server, store, [watch]);
    });
  }

  for (const count of [1, 3]) {
    it(`answers from what is there with two workers that stood still, of ${count} member(s) of etcd`, async () => {
      await open(count);
      await writeFile(path.join(directory, 'tokens.csv'), 'secret,ann,7,"system:masters"\n');
      const endpoints = members.map(({ endpoint }) => endpoint);
      const server = await startWorkers(directory, endpoints.join());
      const processes = [server.child.pid ?? 0, ...(await workersOf(server)).map(Number)];
      try {
        await createConfigMap(server, 'kept');
        for (const member of members) await member.save();
        await until('readyz', async () => (await onOwnConnection(server, '/readyz')).status === 200);
        for (let i = 0; i < 20; i++) await createConfigMap(server, `lost-${i}`);
        const from = await revisionOf(server);
        const start = `${configMaps}?watch=1&resourceVersion=${from}`;
        const watches = await Promise.all([0, 1, 2, 3].map(() => openWatch({ ...server }, start)));
        for (const pid of processes) await freezeProcess(pid);
        await restoreAll(members);
        await using other = await startServer({ store: { kind: 'etcd', servers: endpoints }, compactionIntervalMs: 0 });
        for (let i = 0; (await revisionOf(other)) < from + 20; i++) await createConfigMap(other, `new-${i}`);
        for (const pid of processes) process.kill(pid, 'SIGCONT');
        await checkReads(server, store, watches);
      } finally {
        for (const pid of processes) process.kill(pid, 'SIGKILL');
      }
    });
  }
});
