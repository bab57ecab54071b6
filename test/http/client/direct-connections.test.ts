import assert from 'node:assert/strict';
import { createClient } from '../../../src/client/client.ts';
import type { DirectServer } from '../../../src/outbound/direct-server.ts';
import { createServer, type Server } from '../../../src/server/create-server.ts';
import { until } from '../until.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const configMap = (name: string, text = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text },
});

function openServer(): Promise<Server> {
  const tokens = [{ token: 'secret', username: 'admin', groups: ['system:masters'] }];
  return createServer({ tokens, logLevel: 'error' });
}

/** Nothing listens at the address, so that only direct connections lead to the server. */
function connectTo(server: Server) {
  return createClient({ server: 'https://127.0.0.1:1', token: 'secret', namespace: 'default', direct: server.direct });
}

describe('requests of a client in the process of the server', () => {
  let server: Server;
  let client: ReturnType<typeof connectTo>;

  before(async () => {
    server = await openServer();
    client = connectTo(server);
  });

  after(async () => {
    await client.close();
    await server.close();
  });

  it('have bodies and responses of any size, many at once', async () => {
    const resource = client.resource(configMaps);
    const large = 'x'.repeat(700_000);
    await Promise.all(Array.from({ length: 8 }, (_, index) => resource.create(configMap(`large-${index}`, large))));
    const { items } = await resource.list({ namespace: 'default' });
    const lengths = items.filter(({ metadata }) => metadata?.name?.startsWith('large')).map(({ data }) => data);
    assert.deepEqual(
      lengths,
      Array.from({ length: 8 }, () => ({ text: large })),
    );
  });

  it('are authenticated by the credentials of each', async () => {
    const stranger = createClient({ ...client.settings, token: 'wrong' });
    await assert.rejects(stranger.resource(configMaps).get('large-0'), { code: 401 });
    await stranger.close();
  });

  it('may be watches, which end for the server when their client aborts them', async () => {
    const stop = new AbortController();
    const seen: (string | undefined)[] = [];
    const watching = (async () => {
      const options = { namespace: 'default', resourceVersion: '0', signal: stop.signal };
      for await (const { object } of client.resource(configMaps).watch(options)) seen.push(object.metadata?.name);
    })();
    await until('the present objects', () => seen.length >= 8);
    await client.resource(configMaps).create(configMap('later'));
    await until('the new object', () => seen.includes('later'));
    const watches = async () => {
      const metrics = String(await client.transport.request({ method: 'GET', path: '/metrics' }));
      return Number(
        /_longrunning_requests\{[^}]*resource="configmaps"[^}]*verb="WATCH"[^}]*\} (\d+)/.exec(metrics)?.[1],
      );
    };
    assert.equal(await watches(), 1);
    stop.abort();
    await watching.catch(() => undefined);
    await until('the watch to have ended', async () => (await watches()) !== 1);
  });

  it('end early for the server too, when their client aborts them or is closed', async () => {
    const other = connectTo(server);
    const stop = new AbortController();
    const call = { namespace: 'default', signal: stop.signal };
    const aborted = other.resource(configMaps).list(call);
    stop.abort(new Error('enough'));
    await assert.rejects(aborted, /enough/);
    await assert.rejects(other.resource(configMaps).list(call), /enough/);
    const closed = other.resource(configMaps).list({ namespace: 'default' });
    await Promise.all([assert.rejects(closed, { name: 'StatusError', code: 0 }), other.close()]);
  });

  it('end when nothing arrives for as long as their client waits', async () => {
    const query = { watch: true, resourceVersion: '0', fieldSelector: 'metadata.name=nobody' };
    const path = '/api/v1/namespaces/default/configmaps';
    const events = await client.transport.stream({ method: 'GET', path, query, idleTimeoutMs: 100 });
    for await (const bytes of events) assert.fail(`there is no such object: ${String(bytes)}`);
  });

  it('run at the same time only as many as over the network', async () => {
    let [running, most] = [0, 0];
    const direct: DirectServer = (call) => {
      most = Math.max(most, ++running);
      return server.direct(call).once('close', () => running--);
    };
    const counted = createClient({ ...client.settings, direct });
    await Promise.all(Array.from({ length: 200 }, () => counted.resource(configMaps).get('large-0')));
    assert.equal(most, 64);
    await until('all to have ended', () => running === 0);
    await counted.close();
  });

  it('show warnings and errors as those over the network do', async () => {
    const warnings: string[] = [];
    const warned = createClient(client.settings, { onWarning: (text) => warnings.push(text) });
    const budgets = { group: 'policy', version: 'v1beta1', resource: 'poddisruptionbudgets' };
    await warned.resource(budgets).list({ namespace: 'default' });
    assert.match(warnings[0] ?? '', /deprecated/);
    await assert.rejects(warned.resource(configMaps).get('nobody'), { code: 404, reason: 'NotFound' });
    await warned.close();
  });

  it('end with the server, and none reaches one that is closed', async () => {
    const closing = await openServer();
    const other = connectTo(closing);
    let events = 0;
    const watching = (async () => {
      const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
      for await (const _ of other.resource(namespaces).watch({ resourceVersion: '0' })) events++;
    })();
    await until('the watch to have begun', () => events > 0);
    await closing.close();
    await watching;
    await assert.rejects(other.resource(configMaps).get('large-0'), { name: 'StatusError', code: 0 });
    await other.close();
  });
});
