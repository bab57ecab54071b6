import assert from 'node:assert/strict';
import { Etcd3 } from 'etcd3';
import { createServer, type Server } from '../../src/server/index.ts';
import { request, type Target } from '../http/http-client.ts';
import { readMetrics } from '../http/read-metrics.ts';
import { until } from '../http/until.ts';
import { startTestEtcd, type TestEtcd } from './local-store.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const events = '/api/v1/namespaces/default/events';
const token = 'overrides';

const event = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  reason: 'Told',
});

async function keysOf({ endpoint }: TestEtcd): Promise<readonly string[]> {
  const client = new Etcd3({ hosts: endpoint });
  try {
    return await client.getAll().prefix('/registry/').keys();
  } finally {
    client.close();
  }
}

describe('a server with Events in another etcd', () => {
  let main: TestEtcd;
  let other: TestEtcd;
  let server: Server;
  let target: Target;
  before(async () => {
    [main, other] = await Promise.all([startTestEtcd(), startTestEtcd()]);
    const overrides = [{ group: '', resource: 'events', servers: [other.endpoint] }];
    server = await createServer({
      store: { kind: 'etcd', servers: [main.endpoint], overrides },
      tokens: [{ token, username: 'admin', groups: ['system:masters'] }],
      logLevel: 'silent',
      certDir: undefined,
      eventTtlMs: 2_000,
    });
    target = { url: server.url, ca: server.ca, token };
    await server.started;
  });
  after(async () => {
    await server.close();
    await main[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('writes each object to its etcd, and lists, watches, counts and expires them', async () => {
    const watch = request(target, 'GET', `${events}?watch=true&timeoutSeconds=6`);
    assert.equal((await request(target, 'POST', events, event('one'))).status, 201);
    assert.equal((await request(target, 'POST', maps, { metadata: { name: 'm' } })).status, 201);
    const inMain = await keysOf(main);
    assert.ok(inMain.includes('/registry/configmaps/default/m'));
    assert.deepEqual(
      inMain.filter((key) => key.includes('/events')),
      [],
    );
    assert.ok((await keysOf(other)).includes('/registry/events/default/one'));
    const { body } = await request(target, 'GET', `/apis/events.cl.io/v1/namespaces/default/events`);
    assert.deepEqual(
      (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name),
      ['one'],
    );
    const patched = await request(target, 'PATCH', `${events}/one`, '{"reason":"Again"}', {
      'content-type': 'application/merge-patch+json',
    });
    assert.equal(patched.status, 200, patched.text);
    assert.equal((await readMetrics(target as never)).get('apiserver_storage_objects{resource="events"}'), 1);
    await until('the Event to expire', async () => (await request(target, 'GET', `${events}/one`)).status === 404);
    const types = (await watch).text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    assert.deepEqual(types, ['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('marks each etcd with its identifiers, and says how each is', async () => {
    for (const etcd of [main, other]) assert.ok((await keysOf(etcd)).includes('/registry/~/identifiers'));
    const { body } = await request(target, 'GET', '/debug/store', undefined, { accept: 'application/json' });
    const names = (body as { rows: { name: string }[] }).rows.map(({ name }) => name);
    for (const name of ['revision of the store', 'last compaction by this server']) {
      assert.ok(names.includes(name) && names.includes(`etcd-override-0: ${name}`), names.join(', '));
    }
  });

  it('is not ready without the other etcd, serves what is in the main one, and recovers', async () => {
    await other.kill();
    const ready = await request(target, 'GET', '/readyz');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /^\[-\]etcd-override-0 failed: reason withheld$/m);
    assert.match(ready.text, /^\[\+\]etcd ok$/m);
    assert.equal((await request(target, 'POST', maps, { metadata: { name: 'alone' } })).status, 201);
    assert.equal((await request(target, 'GET', maps)).status, 200);
    await other.start();
    await until('the server to be ready', async () => (await request(target, 'GET', '/readyz')).status === 200);
    assert.equal((await request(target, 'POST', events, event('two'))).status, 201);
    assert.equal((await request(target, 'GET', `${events}/two`)).status, 200);
  });
});
