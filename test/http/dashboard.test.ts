import assert from 'node:assert/strict';
import { podsPath, type NodeWorld, startNodeWorld } from '../node-agent/node-world.ts';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { idleConnections } from '../idle-connections.ts';
import { request } from './http-client.ts';
import { sendRaw } from './raw-socket.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const page = "<script src='x.js'></script>";

describe('a server with the dashboard', () => {
  let world: NodeWorld;
  let backend: Server;
  let port: number;
  before(async () => {
    backend = createServer(idleConnections, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'script-src *' }).end(page);
    });
    backend.listen(0, '127.0.0.1');
    await once(backend, 'listening');
    ({ port } = backend.address() as AddressInfo);
    world = await startNodeWorld({
      enableDashboard: true,
      anonymousAuth: false,
      corsAllowedOrigins: ['^https://console\\.example$'],
    });
    await world.createPod('web', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '127.0.0.1');
  });
  after(async () => {
    backend.close();
    await world[Symbol.asyncDispose]();
  });

  const statusOf = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
    (await request(world.server, method, path, method === 'POST' ? { metadata: { name: 'a' } } : undefined, headers))
      .status;
  const rawStatus = async (path: string): Promise<number> =>
    (await sendRaw(world.server, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).status;

  it('serves its files to everyone, although anonymous requests are refused, and nothing beside them', async () => {
    const paths = {
      '/dashboard': 200,
      '/dashboard?x=1': 200,
      '/dashboard/dashboard.js': 200,
      '/dashboard/icon.svg': 200,
      '/version': 401,
      '/api': 401,
      '/dashboards': 401,
      '/dashboard;x': 401,
      '/dashboard/../version': 404,
      '/dashboard/%2e%2e/version': 404,
      '/dashboard/..%2fversion': 404,
      '/dashboard/dashboard.js.br': 404,
      '/dashboard/': 200,
      '/dashboard/dashboard.js/': 200,
      '/dashboard/dashboard.js%00': 404,
      '/dashboard//dashboard.js': 404,
      '/dashboard/..\\..\\package.json': 404,
      '/dashboard/constructor': 404,
      '/api/v1/../../dashboard': 401,
    };
    const found = await Promise.all(Object.keys(paths).map(async (path) => [path, await rawStatus(path)]));
    assert.deepEqual(Object.fromEntries(found), paths);
  });

  it('sends its files with headers that keep other pages, scripts and frames out', async () => {
    const { headers } = await request(world.server, 'GET', '/dashboard');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'/);
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|\*/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(await statusOf('/dashboard', {}, 'POST'), 405);
  });

  it('refuses requests that pages of other sites cause, in the name of the browser’s certificate', async () => {
    const own = world.server.url;
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(await statusOf(configMaps, { 'sec-fetch-site': site }), 403);
      assert.equal(await statusOf(configMaps, { 'sec-fetch-site': site }, 'POST'), 403);
      assert.equal(await statusOf('/dashboard', { 'sec-fetch-site': site }), 200);
    }
    for (const origin of ['https://attacker.example', 'null', 'https://127.0.0.1', 'https://console.example.evil']) {
      assert.equal(await statusOf(configMaps, { origin }, 'POST'), 403, origin);
    }
    assert.equal(await statusOf(configMaps, { origin: own, 'sec-fetch-site': 'same-origin' }, 'POST'), 201);
    assert.equal(await statusOf(configMaps, { 'sec-fetch-site': 'none' }), 200);
    assert.equal(await statusOf(configMaps, { origin: own }), 200);
    const allowed = { origin: 'https://console.example', 'sec-fetch-site': 'cross-site' };
    assert.equal(await statusOf(configMaps, allowed), 200);
  });

  it('lets no page of another site open a stream into a pod', async () => {
    const path = `${podsPath}/web/exec?command=id&container=c`;
    const open = (origin: string) =>
      sendRaw(
        world.server,
        [
          `GET ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${world.server.port}`,
          `Authorization: Bearer ${world.server.token}`,
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
          'Sec-WebSocket-Protocol: v4.channel.k8s.io',
          `Origin: ${origin}`,
          '\r\n',
        ].join('\r\n'),
        50,
      );
    assert.equal((await open('https://attacker.example')).status, 403);
    assert.notEqual((await open(world.server.url)).status, 403);
  });

  it('lets pages of pods run nothing in its origin', async () => {
    const { status, headers, text } = await request(world.server, 'GET', `${podsPath}/web:${port}/proxy/`);
    assert.deepEqual([status, text], [200, page]);
    const policies = [headers['content-security-policy'] ?? []].flat().join(', ');
    assert.match(policies, /default-src 'none'; sandbox; frame-ancestors 'none'/);
    assert.match(policies, /script-src \*/, 'the policy of the pod is one more');
  });
});

describe('a server without the dashboard', () => {
  it('passes pages of pods on as they are, and judges no origin', async () => {
    await using server = await startNodeWorld();
    const { status } = await request(server.server, 'GET', configMaps, undefined, { 'sec-fetch-site': 'cross-site' });
    assert.equal(status, 200);
    assert.equal((await request(server.server, 'GET', '/dashboard')).status, 404);
  });
});
