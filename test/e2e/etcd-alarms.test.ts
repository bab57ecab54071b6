import assert from 'node:assert/strict';
import { Etcd3 } from 'etcd3';
import { connectRemoteStore } from '../../src/storage/remote/remote-store.ts';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { serveStore } from '../../src/storage/remote/store-server.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { type EtcdHome, openEtcdHome } from '../contract/etcd-fixture.ts';
import { request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { startServer } from './start-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a server whose etcd has an alarm', () => {
  it('is not ready and says which, serves reads and deletes, and is ready again once it is disarmed', async () => {
    await using world = await startWorld();
    const { server, etcd } = world;
    const first = await fill(server);
    assert.equal(first.status, 500);
    assert.match(first.text, /database space exceeded/);
    assert.equal(first.headers['retry-after'], '10');

    const ready = await request(server, 'GET', '/readyz');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /^\[-\]etcd-alarm-nospace failed: reason withheld$/m);
    assert.match(ready.text, /^\[\+\]etcd ok$/m);
    assert.match(ready.text, /^\[\+\]etcd-alarm-corrupt ok$/m);
    assert.equal((await request(server, 'GET', '/readyz?exclude=etcd-alarm-nospace')).status, 200);
    assert.equal((await request(server, 'GET', '/readyz/etcd-alarm-nospace')).status, 500);
    // A restart of the server would not help.
    assert.equal((await request(server, 'GET', '/livez')).status, 200);
    assert.equal((await request(server, 'GET', '/healthz')).status, 200);
    assert.equal(await healthOfStore(server), 'etcd has the alarm NOSPACE');

    assert.equal((await request(server, 'GET', `${configMaps}/big-0`)).status, 200);
    assert.equal((await request(server, 'DELETE', `${configMaps}/big-0`)).status, 200);

    await makeRoom(etcd);
    await until('ready', async () => (await request(server, 'GET', '/readyz')).status === 200);
    assert.equal((await create(server, 'after', '')).status, 201);
    assert.equal(await healthOfStore(server), '{"health":"true"}');
  });

  it('names the alarm of damaged data, and refuses writes at once', async () => {
    await using world = await startWorld();
    const { server, etcd } = world;
    await raise(etcd, 'Corrupt');
    const ready = await request(server, 'GET', '/readyz');
    assert.match(ready.text, /^\[-\]etcd-alarm-corrupt failed: reason withheld$/m);
    const refused = await create(server, 'refused', '');
    assert.equal(refused.status, 500);
    assert.match(refused.text, /ServerTimeout|InternalError/);

    await disarm(etcd, 'Corrupt');
    await until('ready', async () => (await request(server, 'GET', '/readyz')).status === 200);
    assert.equal((await create(server, 'refused', '')).status, 201);
  });

  it('knows it through a store in another process too', async () => {
    const etcd = await openEtcdHome();
    const store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    const served = await serveStore(store, '127.0.0.1:0');
    const remote = await connectRemoteStore(served.endpoint);
    try {
      assert.deepEqual((await remote.status({ alarms: true })).alarms, []);
      await raise(etcd, 'Nospace');
      assert.deepEqual((await remote.status({ alarms: true })).alarms, ['NOSPACE']);
    } finally {
      await remote.close();
      await served.close();
      await store.close();
      await etcd.close();
    }
  });
});

interface World extends AsyncDisposable {
  readonly etcd: EtcdHome;
  readonly server: TestServer;
}

async function startWorld(): Promise<World> {
  const etcd = await openEtcdHome({ quotaBytes: 8 * 1024 * 1024 });
  const server = await startServer({ store: { kind: 'etcd', servers: [etcd.endpoint] } });
  return {
    etcd,
    server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await etcd.close();
    },
  };
}

function create(server: TestServer, name: string, text: string): ReturnType<typeof request> {
  return request(server, 'POST', configMaps, { metadata: { name }, data: { text } });
}

/** Creates large objects until one is refused, and returns that response. */
async function fill(server: TestServer): ReturnType<typeof request> {
  for (let i = 0; ; i++) {
    const response = await create(server, `big-${i}`, 'x'.repeat(500_000));
    if (response.status !== 201) return response;
    assert.ok(i < 100, 'etcd takes more than its quota');
  }
}

async function healthOfStore(server: TestServer): Promise<unknown> {
  const { body } = await request(server, 'GET', '/api/v1/componentstatuses/etcd-0');
  const { conditions } = body as { readonly conditions: readonly { readonly message: string }[] };
  return conditions[0]?.message;
}

/** As the library spells them. */
type Alarm = 'Nospace' | 'Corrupt';

async function raise(etcd: EtcdHome, alarm: Alarm): Promise<void> {
  await changeAlarm(etcd, 'Activate', alarm);
}

async function disarm(etcd: EtcdHome, alarm: Alarm): Promise<void> {
  await changeAlarm(etcd, 'Deactivate', alarm);
}

async function changeAlarm(etcd: EtcdHome, action: 'Activate' | 'Deactivate', alarm: Alarm): Promise<void> {
  const client = new Etcd3({ hosts: etcd.endpoint });
  const { header } = await client.maintenance.status();
  await client.maintenance.alarm({ action, memberID: header.member_id, alarm });
  client.close();
}

/** What an operator does: compacts, defragments and disarms. */
async function makeRoom(etcd: EtcdHome): Promise<void> {
  const client = new Etcd3({ hosts: etcd.endpoint });
  const { header } = await client.maintenance.status();
  await client.kv.compact({ revision: header.revision, physical: true });
  await client.maintenance.defragment();
  client.close();
  await disarm(etcd, 'Nospace');
}
