import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { type HttpResponse, request, type Target } from '../../http/http-client.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';
import { until } from '../../http/until.ts';
import { type EtcdMember, startMembers } from '../../robustness/etcd-members.ts';
import { openTcpWay, type TcpWay } from '../../robustness/tcp-way.ts';
import { startServer } from '../start-server.ts';
import { checkReads, prefix, restoreAll } from './restored-reads.ts';

/** While a server reloads, it answers 500, and a write may have taken place nevertheless. */
async function createAtLast(server: Target, name: string): Promise<void> {
  await until('a write', async () => {
    const { status, text } = await request(server, 'POST', configMaps, { metadata: { name } });
    assert.ok([201, 409, 500].includes(status), text);
    return status !== 500;
  });
}

async function revisionAtLast(server: Target): Promise<number> {
  let response: HttpResponse | undefined;
  await until('a read', async () => {
    response = await request(server, 'GET', `${configMaps}?limit=1`);
    return response.status === 200;
  });
  assert.ok(response);
  return Number(listOf(response).metadata.resourceVersion);
}

describe('two servers whose etcd is restored several times', () => {
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

  it('answer only what is there, also the one that cannot see it for a while', async () => {
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
      const from = await revisionAtLast(late);
      const watch = await openWatch(late, `${configMaps}?watch=1&resourceVersion=${from}`);
      way.cut();
      await restoreAll(members);
      await until('the other server', async () => (await request(early, 'GET', '/readyz')).status === 200);
      await createAtLast(early, `first-${round}`);
      for (let i = 0; (await revisionAtLast(early)) < from + round; i++)
        await createAtLast(early, `next-${round}-${i}`);
      way.mend();
      await store.close();
      await openRaw();
      await checkReads(late, store, [watch]);
    }
  });
});
