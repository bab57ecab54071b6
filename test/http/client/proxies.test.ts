import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, loadClientConfig } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { proxyUser, startHttpProxy, startSocksProxy, type TestProxy } from './start-proxies.ts';

const configmaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const password = encodeURIComponent(proxyUser.password);

describe('a client behind a proxy', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-proxies-'));
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  /** A client whose config file names the proxy. */
  async function through(proxyUrl: string) {
    const file = path.join(directory, 'config');
    const config = JSON.parse(server.clientConfig) as { clusters: [{ cluster: Record<string, string> }] };
    config.clusters[0].cluster['proxy-url'] = proxyUrl;
    await writeFile(file, JSON.stringify(config));
    return createClient(await loadClientConfig(file));
  }

  const proxies: readonly (readonly [scheme: string, start: () => Promise<TestProxy>, refusal: RegExp])[] = [
    ['http', startHttpProxy, /CONNECT was answered with 407/],
    ['socks5', startSocksProxy, /authentication failed/],
  ];
  for (const [scheme, start, refusal] of proxies) {
    it(`sends all requests through one of ${scheme}, with TLS to the server`, async () => {
      const proxy = await start();
      const client = await through(`${scheme}://${proxyUser.username}:${password}@${proxy.address}`);
      const stop = new AbortController();
      const created = await client.resource(configmaps).create({ metadata: { generateName: 'a-' } });
      const events = client.resource(configmaps).watch({ signal: stop.signal });
      for await (const { object } of events) {
        assert.equal(object.metadata?.uid, created.metadata?.uid);
        break;
      }
      stop.abort();
      await client.resource(configmaps).delete(created.metadata?.name ?? '');
      assert.ok(proxy.targets.length >= 2, 'one connection for requests, and one for the watch');
      assert.deepEqual([...new Set(proxy.targets)], [`127.0.0.1:${server.port}`]);
      await client.close();
      await proxy.stop();
    });

    it(`says that one of ${scheme} refuses it`, async () => {
      const proxy = await start();
      const client = await through(`${scheme}://${proxyUser.username}:wrong@${proxy.address}`);
      await assert.rejects(client.resource(configmaps).list(), { reason: 'Unreachable', message: refusal });
      assert.deepEqual(proxy.targets, []);
      await client.close();
      await proxy.stop();
    });
  }

  it('says that the proxy cannot be reached', async () => {
    const proxy = await startHttpProxy();
    await proxy.stop();
    for (const scheme of ['http', 'socks5']) {
      const client = await through(`${scheme}://${proxy.address}`);
      await assert.rejects(client.resource(configmaps).list(), {
        reason: 'Unreachable',
        message: /proxy .*ECONNREFUSED/,
      });
      await client.close();
    }
  });

  it('refuses a proxy of another kind', async () => {
    await assert.rejects(through('ftp://127.0.0.1:21'), /proxy-url must be a URL with http, https or socks5/);
  });
});
