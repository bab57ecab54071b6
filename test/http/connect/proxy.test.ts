import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { agentOf, request } from '../http-client.ts';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { until } from '../until.ts';
import { idleConnections } from '../../idle-connections.ts';

const services = '/api/v1/namespaces/default/services';
const endpoints = '/api/v1/namespaces/default/endpoints';

/** A request as the proxied server sees it. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const page = '<body background="/b.png"><a href="/x?y=1">x</a><A HREF=rel>r</A><script>"<a href=\'/s\'>"</script>';

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe('a proxy', () => {
  let world: NodeWorld;
  let target: Server;
  let port: number;
  let pod: string;

  before(async () => {
    const allowed = ownAddress ? [`${ownAddress}/32`] : [];
    world = await startNodeWorld({ proxyAllowedNetworks: ['127.0.0.0/8', ...allowed] });
    target = createServer(idleConnections, (message, response) => {
      let body = '';
      message.on('data', (chunk: Buffer) => (body += chunk.toString()));
      message.on('end', () => {
        const { method = '', url = '', headers } = message;
        const query = new URL(url, 'http://target').searchParams;
        const location = query.get('location');
        if (location !== null) response.writeHead(302, { location }).end();
        else if (query.has('html')) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
        else if (query.has('gzip')) {
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(page));
        } else if (query.has('endless')) response.writeHead(200).write('first');
        else if (query.has('status')) response.writeHead(Number(query.get('status'))).end();
        else if (query.has('broken'))
          response.writeHead(200, { 'content-length': '9' }).write('part', () => response.destroy());
        else {
          response.writeHead(200, {
            'Content-Type': 'application/json',
            'Set-Cookie': ['a=1', 'b=2'],
            'Access-Control-Allow-Origin': '*',
            'Cache-Control': 'max-age=7',
            Connection: 'close, x-hop',
            'X-Hop': '1',
            'X-Own': '1',
          });
          response.end(JSON.stringify({ method, url, headers, body } satisfies SeenRequest));
        }
      });
    });
    target.listen(0, '0.0.0.0');
    await once(target, 'listening');
    // A listening TCP server has such an address.
    ({ port } = target.address() as AddressInfo);
    const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: port, name: 'web' }] }];
    await world.createPod('web', { nodeName: 'n', containers }, '127.0.0.1');
    pod = `${podsPath}/web/proxy`;
    const ports = [
      { name: 'http', port: 80 },
      { name: 'other', port: 81 },
    ];
    for (const name of ['web', 'foreign', 'without']) await create(services, { metadata: { name }, spec: { ports } });
    const addresses = [{ ip: '192.0.2.1', targetRef: { kind: 'Pod', namespace: 'other', name: 'web' } }];
    await create(endpoints, { metadata: { name: 'web' }, subsets: [] });
    await create(endpoints, {
      metadata: { name: 'foreign' },
      subsets: [{ addresses, ports: [{ name: 'http', port }] }],
    });
  });
  after(async () => {
    target.closeAllConnections();
    target.close();
    await world[Symbol.asyncDispose]();
  });

  async function create(path: string, body: object): Promise<void> {
    const response = await request(world.server, 'POST', path, body);
    assert.equal(response.status, 201, response.text);
  }

  async function seen(path: string, method = 'GET', body?: string, headers = {}): Promise<SeenRequest> {
    const response = await request(world.server, method, `${podsPath}/${path}`, body, headers);
    assert.equal(response.status, 200, response.text);
    // The proxied server sends what it sees.
    return response.body as SeenRequest;
  }

  const names: Readonly<Record<string, () => string>> = {
    'the first port of a pod': () => 'web',
    'a port': () => `web:${port}`,
    'a scheme and a port': () => `http:web:${port}`,
    'a scheme and an empty port': () => 'http:web:',
  };
  for (const [what, name] of Object.entries(names)) {
    it(`reaches ${what}`, async () => {
      assert.equal((await seen(`${name()}/proxy/x?y=z`)).url, '/x?y=z');
    });
  }

  it('forwards method, headers and body, without credentials and headers of the connection', async () => {
    const headers = {
      'content-type': 'text/plain',
      cookie: 'c=d',
      'x-own': '1',
      'x-forwarded-for': '192.0.2.1',
      'impersonate-user': 'system:admin',
      'impersonate-group': 'system:masters',
      te: 'trailers, deflate',
    };
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const sent = await seen('web/proxy/x', method, 'the body', headers);
      assert.deepEqual([sent.method, sent.body], [method, 'the body']);
      assert.equal(sent.headers.authorization, undefined);
      assert.equal(sent.headers['impersonate-user'], undefined);
      assert.equal(sent.headers['impersonate-group'], undefined);
      assert.equal(sent.headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1');
      assert.equal(sent.headers['x-forwarded-uri'], `${pod}/x`);
      assert.equal(sent.headers.host, new URL(world.server.url).host);
      assert.deepEqual([sent.headers.cookie, sent.headers['x-own'], sent.headers.te], ['c=d', '1', 'trailers']);
    }
  });

  it('passes the response on, without headers of the connection and permissions of other origins', async () => {
    const { headers } = await request(world.server, 'GET', `${pod}/x`);
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(headers['x-own'], '1');
    assert.equal(headers['x-hop'], undefined);
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.deepEqual(headers['cache-control'], ['no-cache, private', 'max-age=7']);
    for (const status of [204, 304, 404, 503]) {
      assert.equal((await request(world.server, 'GET', `${pod}/x?status=${status}`)).status, status);
    }
    assert.equal((await request(world.server, 'HEAD', `${pod}/x`)).status, 200);
    assert.equal((await seen('web/proxy/x', 'OPTIONS')).method, 'OPTIONS');
  });

  it('forwards over HTTP/2 too, with a body of unknown length', async () => {
    const agent = new Agent({ connect: { ca: world.server.ca }, allowH2: true });
    const { statusCode, body } = await agent.request({
      origin: world.server.url,
      path: `${pod}/x`,
      method: 'POST',
      headers: { authorization: `Bearer ${world.server.token}` },
      body: Readable.from([Buffer.from('one '), Buffer.from('two')]),
    });
    const { body: received, headers } = (await body.json()) as SeenRequest;
    assert.deepEqual([statusCode, received, headers['transfer-encoding']], [200, 'one two', 'chunked']);
    assert.equal(headers.host, new URL(world.server.url).host);
    await agent.close();
  });

  const paths: Readonly<Record<string, string>> = {
    '/': '/',
    '//': '/',
    '/a//b/../c/./d/?q=%2F&r=a+b': '/a/c/d/?q=%2F&r=a+b',
    '/..%2f..%2fx': '/x',
    '/../../..': '/',
    '/a%2Fb%20c%3Fd%25e%C3%A9;,@:+$&=': '/a/b%20c%3Fd%25e%C3%A9;,@:+$&=',
    '/%ff': '/%FF',
    '/%0d%0aX-Own:%202': '/%0D%0AX-Own:%202',
  };
  for (const [sent, expected] of Object.entries(paths)) {
    it(`forwards the path ${sent} as ${expected}`, async () => {
      const { url, headers } = await seen(`web/proxy${sent}`);
      assert.equal(url, expected);
      assert.equal(headers['x-own'], undefined);
    });
  }

  it('encodes the bytes of a path and a query that are not encoded', async () => {
    const session = connectHttp2(world.server.url, { ca: world.server.ca });
    const stream = session.request({
      ':path': `${pod}/\xc3\xa9?q=\xc3\xa9`,
      authorization: `Bearer ${world.server.token}`,
    });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    assert.match(text, /"url":"\/%C3%A9\?q=%C3%A9"/);
    session.close();
  });

  it('redirects a read without a path, and no write', async () => {
    const { status, headers } = await request(world.server, 'GET', `${pod}?a=b`);
    assert.deepEqual([status, headers['location']], [301, `${pod}/?a=b`]);
    assert.equal((await seen('web/proxy?a=b', 'POST', 'x')).url, '/?a=b');
  });

  it('rewrites redirects to the server itself, and does not follow any', async () => {
    const own = `http://127.0.0.1:${port}`;
    const rewritten: Readonly<Record<string, string>> = {
      '/abs?x': `${pod}/abs?x`,
      'rel/x': 'rel/x',
      [`${own}/full/?a=b`]: `${pod}/full/?a=b`,
      [`//127.0.0.1:${port}/y`]: `${pod}/y`,
      'http://169.254.169.254/z': 'http://169.254.169.254/z',
      [`${pod}/in`]: `${pod}/in`,
      [`${world.server.url}/z`]: `${world.server.url}${pod}/z`,
    };
    for (const [sent, expected] of Object.entries(rewritten)) {
      const { status, headers } = await request(world.server, 'GET', `${pod}/?location=${encodeURIComponent(sent)}`);
      assert.deepEqual([status, headers['location']], [302, expected], sent);
    }
  });

  const links = `<body background="POD/b.png"><a href="POD/x?y=1">x</a><A HREF=rel>r</A><script>"<a href='/s'>"</script>`;
  for (const query of ['html', 'gzip']) {
    it(`rewrites the links of pages (${query})`, async () => {
      const { text, headers } = await request(world.server, 'GET', `${pod}/page?${query}`);
      assert.equal(text, links.replaceAll('POD', pod));
      assert.equal(headers['content-encoding'], undefined);
    });
  }

  it('breaks off a response that the server breaks off', async () => {
    await assert.rejects(request(world.server, 'GET', `${pod}/?broken`));
  });

  it('passes on what arrives at once, and closes the connection when the client leaves', async () => {
    const arrived = once(target, 'request');
    const stop = new AbortController();
    const { body } = await agentOf(world.server).request({
      origin: world.server.url,
      path: `${pod}/?endless`,
      method: 'GET',
      headers: { authorization: `Bearer ${world.server.token}` },
      signal: stop.signal,
    });
    const [chunk] = (await once(body, 'data')) as [Buffer];
    assert.equal(chunk.toString(), 'first');
    body.on('error', () => {});
    stop.abort();
    const [message] = (await arrived) as [IncomingMessage];
    await until('the connection is closed', () => message.socket.destroyed);
  });

  const refused: readonly (readonly [path: string, status: number, message: string])[] = [
    [
      `${podsPath}/web:1/proxy/`,
      503,
      'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [`${podsPath}/web:99999/proxy/`, 503, 'error trying to reach service: dial tcp: address 99999: invalid port'],
    [`${podsPath}/web:name/proxy/`, 503, 'error trying to reach service: dial tcp: lookup tcp/name: unknown port'],
    [`${podsPath}/p/proxy/`, 400, 'address not allowed'],
    [`${podsPath}/ftp:web:80/proxy/`, 400, 'invalid pod request "ftp:web:80"'],
    [`${podsPath}/none/proxy/`, 404, 'pods "none" not found'],
    [`${services}/web/proxy/`, 503, 'no endpoints available for service "web"'],
    [`${services}/web:82/proxy/`, 503, 'no service port 82 found for service "web"'],
    [`${services}/foreign:http/proxy/`, 503, 'no endpoints available for service "foreign:http"'],
    [`${services}/https:foreign:80/proxy/`, 503, 'no endpoints available for service "https:foreign:80"'],
    [`${services}/foreign:other/proxy/`, 503, 'no endpoints available for service "foreign:other"'],
    [`${services}/without/proxy/`, 404, 'services "without" not found'],
    [`${services}/none:80/proxy/`, 404, 'services "none" not found'],
    ['/api/v1/nodes/none/proxy/', 404, 'nodes "none" not found'],
  ];
  for (const [path, status, message] of refused) {
    it(`answers ${status} to ${path}`, async () => {
      const response = await request(world.server, 'GET', path);
      assert.deepEqual([response.status, (response.body as { message: string }).message], [status, message]);
    });
  }

  it('reaches a service by the name and the number of its port', async function reached() {
    // Endpoints cannot have addresses of loopback interfaces.
    if (!ownAddress) this.skip();
    const containers = [{ name: 'c', image: 'i' }];
    await world.createPod('own', { nodeName: 'n', containers }, ownAddress);
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'own' };
    const subsets = [{ addresses: [{ ip: ownAddress, targetRef }], ports: [{ name: 'http', port }] }];
    await create(services, { metadata: { name: 'own' }, spec: { ports: [{ name: 'http', port: 80 }] } });
    await create(endpoints, { metadata: { name: 'own' }, subsets });
    for (const name of ['own:http', 'http:own:http', 'own:80']) {
      const path = `${services}/${name}/proxy/x?y=z`;
      const response = await request(world.server, 'POST', path, 'the body');
      assert.equal(response.status, 200, response.text);
      // The proxied server sends what it sees.
      const { method, url, body } = response.body as SeenRequest;
      assert.deepEqual([method, url, body], ['POST', '/x?y=z', 'the body']);
    }
    const linked = await request(world.server, 'GET', `${services}/own:http/proxy/?html`);
    assert.ok(linked.text.includes(`<a href="${services}/own:http/proxy/x?y=1">`), linked.text);
  });

  it('reaches the node agent with the certificate of the server, and other ports of the node without', async () => {
    const { body } = await request(world.server, 'GET', '/api/v1/nodes/n/proxy/stats?x=y');
    assert.deepEqual(body, world.agent.seen.at(-1));
    assert.equal(world.agent.seen.at(-1)?.clientAuthorized, true);
    assert.equal((await request(world.server, 'GET', `/api/v1/nodes/n:${port}/proxy/x`)).status, 200);
    const same = await request(world.server, 'GET', `/api/v1/nodes/http:n:${world.agent.port}/proxy/metrics`);
    assert.equal((same.body as { clientAuthorized: boolean }).clientAuthorized, true);
  });
});
