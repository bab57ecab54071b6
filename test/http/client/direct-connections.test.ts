import assert from 'node:assert/strict';
import { createClient } from '../../../src/client/client.ts';
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
  const connect = () => server.connect();
  return createClient({ server: 'https://127.0.0.1:1', token: 'secret', namespace: 'default', connect });
}

describe('direct connections to a server in the same process', () => {
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

  it('carry requests and responses of any size, many at once', async () => {
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

  it('authenticate by the credentials of each request', async () => {
    const stranger = createClient({ ...client.settings, token: 'wrong' });
    await assert.rejects(stranger.resource(configMaps).get('large-0'), { code: 401 });
    await stranger.close();
  });

  it('carry watches, which end for the server when their client aborts them', async () => {
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

  it('end with the server, and none is opened to one that is closed', async () => {
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
