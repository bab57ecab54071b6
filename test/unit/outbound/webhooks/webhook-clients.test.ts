import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonValue } from '../../../../src/meta/json-value.ts';
import { webhookClients } from '../../../../src/outbound/webhooks/webhook-clients.ts';
import { until } from '../../../http/until.ts';
import { answer, startTlsServer, type TlsServer } from '../start-tls-server.ts';

const never = new AbortController().signal;

describe('the clients of webhooks', () => {
  let server: TlsServer;
  const stop = new AbortController();
  beforeEach(async () => {
    server = await startTlsServer('api.default.svc', 'other.default.svc');
  });
  afterEach(async () => {
    stop.abort();
    await server.stop();
  });

  it('reach the Service of this server without a proxy, and others through theirs', async () => {
    const opened: string[] = [];
    const port = Number(new URL(server.settings.server).port);
    const clients = webhookClients({
      signal: new AbortController().signal,
      userAgent: 'test',
      resolveService: async () => ({ host: '127.0.0.1', port }),
      credentials: () => Promise.resolve(new Map()),
      parse: (bytes) => JSON.parse(bytes.toString('utf8')) as JsonValue,
      tunnels: {
        cluster: async (target) => {
          opened.push(target.host);
          return connect(target.port, target.host);
        },
        ownService: 'api',
      },
    });
    const ca = server.settings.ca;
    for (const name of ['api', 'other']) {
      const url = `https://${name}.default.svc:443/`;
      const service = { namespace: 'default', name, port: 443 };
      await clients.post({ url, service, ca }, { url, body: '{}', timeoutMs: 120_000, signal: never });
      assert.deepEqual(opened, name === 'api' ? [] : ['127.0.0.1']);
    }
  });

  it('repeat a call although so many others were made meanwhile that its connections were closed', async () => {
    const clients = webhookClients({
      signal: stop.signal,
      userAgent: 'test',
      resolveService: () => Promise.reject(new Error('not expected')),
      credentials: () => Promise.resolve(new Map()),
      parse: (bytes) => JSON.parse(bytes.toString('utf8')) as JsonValue,
    });
    const { server: url, ca = '' } = server.settings;
    // The time is for a slow machine: the calls end long before.
    const post = (caBundle: string, signal: AbortSignal) =>
      clients.post({ url, service: undefined, ca: caBundle }, { url, body: '{}', timeoutMs: 120_000, signal });
    server.handle = (_, response) =>
      server.seen.length < 2
        ? void response.writeHead(429, { 'retry-after': '1' }).end()
        : answer(response, 200, { calls: server.seen.length });
    const asked = post(ca, never);
    await until('the server asks for a later call', () => server.seen.length === 1);
    for (let index = 1; index <= 300; index++) {
      await assert.rejects(post(`${ca}${'\n'.repeat(index)}`, AbortSignal.abort()));
      // The call of which the story is goes on meanwhile.
      await nextTurn();
    }
    assert.deepEqual(await asked, { calls: 2 });
  });
});
