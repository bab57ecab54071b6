import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { connectEtcd } from '../../src/etcd/etcd-client.ts';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { StorageError } from '../../src/storage/port/storage-error.ts';
import { freePorts } from '../free-ports.ts';
import { until } from '../http/until.ts';
import { freezeProcess } from './etcd-fixture.ts';
import { bytes, revisionOf, startWatch, textOf } from './fixture.ts';

type LocalEtcd = Awaited<ReturnType<typeof startLocalEtcd>>;

describe('The etcd store, on a cluster of three', () => {
  let home: string;
  let members: LocalEtcd[];
  let store: ObjectStore;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'contract-cluster-'));
    const [a = 0, b = 0, c = 0, ...clientPorts] = await freePorts(6);
    const ports = [a, b, c];
    const cluster = ports.map((port) => `m${port}=http://127.0.0.1:${port}`).join();
    const start = (peerPort: number, index: number): Promise<LocalEtcd> =>
      startLocalEtcd({
        dataDir: join(home, String(peerPort)),
        peerPort,
        clientPort: clientPorts[index],
        extraArgs: [
          `--name=m${peerPort}`,
          `--initial-cluster=${cluster}`,
          '--heartbeat-interval=100',
          '--election-timeout=1000',
        ],
      });
    members = await Promise.all(ports.map(start));
    store = await openEtcdStore({ endpoints: members.map(({ endpoint }) => endpoint) });
  });
  after(async () => {
    await store.close();
    await Promise.all(members.map((member) => member.kill()));
    await rm(home, { recursive: true });
  });

  it('leaves a member that says nothing', async () => {
    await createSurely(store, '/elected');
    const roles = await Promise.all(members.map(isLeader));
    const silent = members[roles.indexOf(false)];
    assert.ok(silent);
    const own = await connectEtcd({ endpoints: members.map(({ endpoint }) => endpoint) });
    while (own.endpoint.address !== silent.endpoint) own.leave(own.endpoint);
    await own.revision();
    await freezeProcess(silent.pid);
    try {
      await own.revision();
      assert.notEqual(own.endpoint.address, silent.endpoint);
      await own.create('/silent', bytes('written'));
    } finally {
      process.kill(silent.pid, 'SIGCONT');
      own.close();
    }
  });

  it('knows the alarm of another member than the one in use', async () => {
    const [member] = members;
    assert.ok(member);
    const { header } = await askGateway(member, 'status', {});
    await askGateway(member, 'alarm', { action: 'ACTIVATE', memberID: header.member_id, alarm: 'NOSPACE' });
    for (const { endpoint } of members) {
      const through = await openEtcdStore({ endpoints: [endpoint] });
      // The others learn it with the log of the cluster.
      await until('the alarm', async () => (await through.status({ alarms: true })).alarms?.join() === 'NOSPACE');
      await through.close();
    }
    await askGateway(member, 'alarm', { action: 'DEACTIVATE', memberID: header.member_id, alarm: 'NOSPACE' });
    await until('no alarm', async () => (await store.status({ alarms: true })).alarms?.length === 0);
  });

  it('goes on with reads, writes and watches when a member is killed', async () => {
    const { revision } = await store.status();
    const watch = startWatch(store, '/a/', revision, { resumed: true });
    for (let i = 0; i < 50; i++) await createSurely(store, `/a/${i}`);
    await members[0]?.kill();
    // If it was the leader, etcd answers a write that was on its way only when it gives up on it, after some 7 s.
    for (let i = 50; i < 100; i++) await createSurely(store, `/a/${i}`);
    assert.equal(textOf((await store.get('/a/0')).current), '/a/0');
    await watch.reach(100);
    await watch.stop();
    assert.deepEqual(
      watch.events.map(revisionOf),
      Array.from({ length: 100 }, (_, i) => revision + 1 + i),
    );
  });
});

/** Tries again until it has been written, by this try or by an earlier one of which nothing was heard. */
async function createSurely(store: ObjectStore, key: string): Promise<void> {
  for (;;) {
    try {
      await store.create(key, bytes(key));
      return;
    } catch (error) {
      assert.ok(error instanceof StorageError);
      if (error.code === 'AlreadyExists') return;
      assert.ok(error.code === 'Unavailable' || error.code === 'UnknownOutcome', error.code);
      await sleep(50);
    }
  }
}

async function isLeader(member: LocalEtcd): Promise<boolean> {
  const { header, leader } = await askGateway(member, 'status', {});
  return header.member_id === leader;
}

interface GatewayAnswer {
  readonly header: { readonly member_id: string };
  readonly leader?: string;
}

/** Asks for maintenance through etcd's JSON gateway. */
async function askGateway({ endpoint }: LocalEtcd, what: string, body: object): Promise<GatewayAnswer> {
  const response = await fetch(`${endpoint}/v3/maintenance/${what}`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as GatewayAnswer;
}
