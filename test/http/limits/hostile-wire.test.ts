import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { sendRaw } from '../raw-socket.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const target = `${maps}/target`;
const host = 'Host: localhost';
const json = 'Content-Type: application/json';

/** Bytes on the wire, and what may come back. */
interface HostileRequest {
  readonly title: string;
  /** The lines of the request's head; the empty line behind them is added. */
  readonly lines: readonly string[];
  /** What follows the head. */
  readonly rest?: string;
  /** Statuses of the first answer; 0 where the connection is closed without one. */
  readonly statuses: readonly number[];
  /** Whether the connection must be closed. */
  readonly closed?: boolean;
}

const refused = [400, 404, 405];
const auth = 'Authorization: Bearer TOKEN';
const get = (path: string, ...more: string[]): readonly string[] => [`GET ${path} HTTP/1.1`, host, auth, ...more];
const post = (...more: string[]): readonly string[] => [`POST ${maps} HTTP/1.1`, host, auth, json, ...more];

/** A second request, which a server that mistakes the length of the first one answers too. */
const offered = JSON.stringify({ metadata: { name: 'offered' } });

const smuggled = `DELETE ${target} HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`;

const paths: readonly HostileRequest[] = [
  ...[
    '/api/v1/namespaces/default/configmaps/../secrets',
    '/api/v1/namespaces/%2e%2e/secrets',
    '/api/v1/%2e%2e/%2e%2e/secrets',
    '//api/v1/secrets',
    '/api//v1/secrets',
    '/api/v1/./secrets',
    '/api/v1/secrets;x=y',
    '/api/v1/namespaces/default/secrets%00',
    '/api/v1/namespaces/default%2Fsecrets/x',
    '/api/v1/namespaces/default\\secrets',
    '/api/v1/secrets%3Flimit=1',
    '/api/v1/secrets%',
    '/api/v1/secrets%zz',
    '/api/v1/\xff\xfe',
    `/api/v1/${'x'.repeat(60_000)}`,
    '*',
  ].map((path) => ({ title: `B52 the path ${path.slice(0, 48)}`, lines: get(path), statuses: [400, 404, 414, 431] })),
  { title: 'B52 a path of 70 KB', lines: get(`/${'x'.repeat(70_000)}`), statuses: [414, 431], closed: true },
  ...['.', '..', 'a%2Fb', 'a%25b', '%2e', '%2E%2e', '%2e%2e%2fsecrets'].map((name) => ({
    title: `B53 the name ${name}`,
    lines: get(`${maps}/${name}`),
    statuses: [400, 404],
  })),
  {
    title: 'B55 a resource of the cluster in a namespace',
    lines: get('/api/v1/namespaces/default/nodes'),
    statuses: [404],
  },
];

const methods: readonly HostileRequest[] = [
  { title: 'B56 TRACE', lines: [`TRACE ${target} HTTP/1.1`, host, auth], statuses: refused },
  { title: 'B56 OPTIONS', lines: [`OPTIONS ${target} HTTP/1.1`, host, auth], statuses: refused },
  { title: 'B56 CONNECT', lines: [`CONNECT evil:443 HTTP/1.1`, host, auth], statuses: [0, ...refused], closed: true },
  { title: 'B56 a method that nobody knows', lines: [`JUNK ${target} HTTP/1.1`, host, auth], statuses: refused },
  { title: 'B56 a GET with a body', lines: get(target, 'Content-Length: 2'), rest: '{}', statuses: [200] },
  { title: 'B56 a POST to an object', lines: [`POST ${target} HTTP/1.1`, host, auth], statuses: [405] },
  { title: 'B57 the old proxy verb', lines: get('/api/v1/proxy/namespaces/default/pods/x'), statuses: [404] },
  ...['websocket', 'SPDY/3.1', 'junk'].map((protocol) => ({
    title: `B58 an upgrade to ${protocol}, which is ignored`,
    lines: get(target, 'Connection: Upgrade', `Upgrade: ${protocol}`),
    statuses: [200],
  })),
  {
    title: 'B58 an upgrade that the header of proxies requests',
    lines: get(target, 'Proxy-Connection: Upgrade', 'Upgrade: websocket'),
    statuses: [200],
  },
  {
    title: 'B58 an upgrade of a stream with a request behind it',
    lines: get('/api/v1/namespaces/default/pods/none/exec', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'),
    rest: smuggled,
    statuses: [404],
    closed: true,
  },
  {
    title: 'B58 an offer of HTTP/2 with a body',
    lines: post('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', `Content-Length: ${offered.length}`),
    rest: offered,
    statuses: [201],
  },
];

const framing: readonly HostileRequest[] = [
  ['Content-Length: 2', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 5'],
  ['Content-Length: 2', 'Content-Length: 3'],
  ['Content-Length: 2, 3'],
  ['Content-Length: +5'],
  ['Content-Length: 0x5'],
  ['Content-Length: -1'],
  ['Content-Length: 5 5'],
  ['Content-Length:'],
  [`Content-Length: ${'9'.repeat(30)}`],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding : chunked'],
  ['X-Folded: a\r\n b', 'Content-Length: 2'],
  ['X-Bare: a\rb', 'Content-Length: 2'],
  ['X-Line: a\nContent-Length: 2'],
  ['X-Space : a', 'Content-Length: 2'],
  ['X-Nul: a\0b', 'Content-Length: 2'],
  [': x', 'Content-Length: 2'],
].map((lines) => ({
  title: `B60 ${JSON.stringify(lines.join(' and ').slice(0, 60))}`,
  lines: post(...lines),
  rest: `0\r\n\r\n${smuggled}`,
  statuses: [400],
  closed: true,
}));

const chunks: readonly HostileRequest[] = [
  ['a size that overflows', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n', [400]],
  ['a size that is no number', '0x2\r\n{}\r\n0\r\n\r\n', [400]],
  ['a negative size', '-2\r\n{}\r\n0\r\n\r\n', [400]],
  ['a chunk longer than its size', '1\r\n{}\r\n0\r\n\r\n', [400]],
  ['extensions of a megabyte', `2;x=${'y'.repeat(1_000_000)}\r\n{}\r\n0\r\n\r\n`, [400, 413, 431]],
].map(([what, rest, statuses]) => ({
  title: `B60 chunks with ${String(what)}`,
  lines: post('Transfer-Encoding: chunked'),
  rest: String(rest) + smuggled,
  // A row of the table has them in the third place.
  statuses: statuses as readonly number[],
  closed: true,
}));

const heads: readonly HostileRequest[] = [
  {
    title: 'B61 a header block of 70 KB',
    lines: get(target, `X: ${'x'.repeat(70_000)}`),
    statuses: [431],
    closed: true,
  },
  {
    title: 'B61 2,001 headers',
    lines: get(target, ...Array.from({ length: 2_001 }, (_, i) => `X-${i}: y`)),
    statuses: [431],
  },
  { title: 'B61 a header named __proto__', lines: get(target, '__proto__: x', 'constructor: y'), statuses: [200] },
  { title: 'B62 two hosts', lines: get(target, 'Host: other'), statuses: [400] },
  { title: 'B62 no host', lines: [`GET ${target} HTTP/1.1`, auth], statuses: [400] },
  { title: 'B62 a host with a user', lines: [`GET ${target} HTTP/1.1`, 'Host: evil@x', auth], statuses: [200, 400] },
  { title: 'B62 another scheme and host', lines: get(`http://evil.example${target}`), statuses: [200, 400, 404] },
  { title: 'B62 a host with a line break', lines: get('/', 'Host: a\r\nSet-Cookie: b'), statuses: [400] },
  {
    title: 'HTTP/2 without its handshake',
    lines: ['PRI * HTTP/2.0'],
    rest: 'SM\r\n\r\n',
    statuses: [0, 400],
    closed: true,
  },
  { title: 'HTTP/0.9', lines: ['GET /'], statuses: [0, 400, 401], closed: true },
  { title: 'HTTP/3.0', lines: [`GET ${target} HTTP/3.0`, host, auth], statuses: [400, 505], closed: true },
  {
    title: 'TLS inside TLS',
    lines: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    statuses: [0, 400],
    closed: true,
  },
];

const credentials: readonly HostileRequest[] = [
  ['two headers', [auth, 'Authorization: Bearer other'], [400]],
  ['two equal headers', [auth, auth], [400]],
  ['no token', ['Authorization: Bearer'], [401]],
  ['two spaces', ['Authorization: Bearer  TOKEN'], [200, 401]],
  ['a tab', ['Authorization: Bearer\tTOKEN'], [400, 401]],
  ['Basic', ['Authorization: Basic YTpi'], [401]],
  ['bearer in lower case', ['Authorization: bearer TOKEN'], [200, 401]],
  ['a wrong token', ['Authorization: Bearer wrong'], [401]],
  ['a token of 30 KB', [`Authorization: Bearer ${'x'.repeat(30_000)}`], [401]],
  ['a token of 1 MB', [`Authorization: Bearer ${'x'.repeat(1_000_000)}`], [431]],
  ['a token that is no ASCII', ['Authorization: Bearer t\xf6ken'], [401]],
  ['a token in the query', [], [401]],
].map(([what, lines, statuses]) => ({
  title: `B63 ${String(what)}`,
  // Rows have their lines and statuses in these places.
  lines: [`GET ${target}?access_token=TOKEN HTTP/1.1`, host, ...(lines as readonly string[])],
  statuses: statuses as readonly number[],
}));

const bodies: readonly HostileRequest[] = [
  {
    title: 'B4 ten gigabytes announced, and waited for to be asked for',
    lines: post('Expect: 100-continue', 'Content-Length: 10000000000'),
    statuses: [413],
    closed: true,
  },
  {
    title: 'B3 chunks without end',
    lines: post('Transfer-Encoding: chunked'),
    rest: `100000\r\n${'x'.repeat(0x100000)}\r\n`.repeat(5),
    statuses: [413],
    closed: true,
  },
];

describe('hostile bytes of HTTP/1.1', () => {
  let server: TestServer;
  before(async () => {
    // Who has no credential is nobody here, so that a refused one shows.
    server = await startServer({ anonymousAuth: false, drainTimeoutMs: 500 });
    assert.equal((await request(server, 'POST', maps, { metadata: { name: 'target' } })).status, 201);
    const secret = { metadata: { name: 'hidden' }, stringData: { k: 'v' } };
    assert.equal((await request(server, 'POST', '/api/v1/namespaces/default/secrets', secret)).status, 201);
  });
  after(() => server.stop());

  for (const row of [...paths, ...methods, ...framing, ...chunks, ...heads, ...credentials, ...bodies]) {
    it(`${row.title}: ${row.statuses.join(' or ')}`, async () => {
      const bytes = `${row.lines.join('\r\n')}\r\n\r\n${row.rest ?? ''}`.replaceAll('TOKEN', server.token);
      const { status, text, closed } = await sendRaw(server, Buffer.from(bytes, 'latin1'), 300);
      assert.ok(row.statuses.includes(status), `${status}: ${text.slice(0, 300)}`);
      if (row.closed === true) assert.ok(closed, `the connection was left open after ${text.slice(0, 100)}`);
      assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length ?? 0, status === 0 ? 0 : 1, 'one request has one answer');
      assert.doesNotMatch(text, /evil|Set-Cookie|SecretList|"hidden"/, 'nothing of the request or of others is in it');
      if (status >= 400)
        assert.match(text, /"kind":\s*"Status"|^HTTP\/1\.1 404 [^]*(?:404 page not found|"paths": \[)/);
      assert.equal((await request(server, 'GET', target)).status, 200, 'what was there is there');
    });
  }

  it('B63: the token of a WebSocket counts where one is asked for, also on a path without one', async () => {
    const token = Buffer.from(server.token).toString('base64url');
    const protocols = `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${token}, v4.channel\r\n`;
    const send = async (headers: string): Promise<number> =>
      (await sendRaw(server, `GET ${target} HTTP/1.1\r\n${host}\r\n${protocols}${headers}\r\n`, 300)).status;
    assert.equal(await send('Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n'), 200);
    assert.equal(await send('Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n'), 401);
    assert.equal(await send(''), 401);
  });

  it('B60: a trailer gives no identity', async () => {
    const bytes = `GET ${target} HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n0\r\n${auth}\r\n\r\n`;
    assert.equal((await sendRaw(server, bytes.replaceAll('TOKEN', server.token), 300)).status, 401);
  });

  it('B56: a HEAD of a watch ends behind its headers', async () => {
    const bytes = `HEAD ${maps}?watch=1 HTTP/1.1\r\n${host}\r\n${auth}\r\nConnection: close\r\n\r\n`;
    const response = await sendRaw(server, bytes.replaceAll('TOKEN', server.token), 2_000);
    assert.equal(response.status, 200);
    assert.ok(response.closed && response.text.endsWith('\r\n\r\n'), response.text);
  });

  it('B57: the old path of a watch is a watch, and refused like one', async () => {
    const old = `GET /api/v1/watch/namespaces/default/configmaps?timeoutSeconds=1 HTTP/1.1\r\n${host}\r\n`;
    assert.equal((await sendRaw(server, `${old}\r\n`, 300)).status, 401);
    const response = await sendRaw(server, `${old}${auth}\r\n\r\n`.replaceAll('TOKEN', server.token), 1_500);
    assert.match(response.text, /^HTTP\/1\.1 200[^]*"type":"ADDED"/);
  });

  it('a body is asked for once a client that waits for it is let in, and not before', async () => {
    const body = '{"metadata":{"name":"expected"}}';
    const lines = (token: string): string =>
      `POST ${maps} HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${token}\r\n${json}\r\nExpect: 100-continue\r\n`;
    const refusal = await sendRaw(server, `${lines('wrong')}Content-Length: ${body.length}\r\n\r\n`, 300);
    assert.equal(refusal.status, 401, refusal.text);
    const { text } = await sendRaw(server, `${lines(server.token)}Content-Length: ${body.length}\r\n\r\n${body}`, 500);
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});
