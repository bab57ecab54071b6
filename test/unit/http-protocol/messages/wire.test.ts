import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newDeferred } from '../../../../src/async/deferred.ts';
import { nextTurn } from '../../../../src/async/yield-if-long.ts';
import { http2Settings } from '../../../../src/http-protocol/messages/server-settings.ts';
import type { ResourceRegistry } from '../../../../src/registry/definition/registry.ts';
import { startQuietTimer } from '../../../http/quiet-timer.ts';
import { type Fixture, startFixture } from '../../api/fixture.ts';

const path = '/api/v1/namespaces/ns/configmaps';

/** Sends bytes and answers everything that comes back until the server closes, or sends nothing for `waitMs`. */
async function raw(server: Fixture, bytes: string, waitMs = 300): Promise<{ text: string; closed: boolean }> {
  const socket = net.connect(server.port, '127.0.0.1');
  let text = '';
  let closed = false;
  const { promise: isQuiet, resolve: giveUp } = newDeferred<void>();
  const quiet = startQuietTimer(waitMs, giveUp);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    quiet.touch();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  socket.write(bytes, 'latin1');
  await Promise.race([once(socket, 'close'), isQuiet]);
  quiet.stop();
  socket.destroy();
  return { text, closed };
}

const head = (...lines: string[]) =>
  `${['GET /api/v1/namespaces/ns/configmaps HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);

describe('bytes on the wire', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
    await server.configMap('a');
  });
  after(() => server[Symbol.asyncDispose]());

  const post = `POST ${path} HTTP/1.1\r\nHost: x\r\n`;
  const refused: readonly [name: string, bytes: string, status: number][] = [
    ['two Host headers', head('Host: a', 'Host: b'), 400],
    ['no Host header', head(), 400],
    ['two Authorization headers', head('Host: a', 'Authorization: Bearer good', 'Authorization: Bearer good'), 400],
    [
      'more header lines than are looked at',
      head('Host: a', ...Array.from({ length: 501 }, (_, i) => `X-${i}: a`)),
      431,
    ],
    ['a length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a signed length', `${post}Content-Length: +5\r\n\r\n{}`, 400],
    ['a hexadecimal length', `${post}Content-Length: 0x5\r\n\r\n{}`, 400],
    ['an unknown transfer encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n`, 400],
    ['a space before a colon', head('Host : a'), 400],
    ['a bare line feed', 'GET /version HTTP/1.1\nHost: a\n\n', 400],
    ['headers over the limit', head('Host: a', `X-Long: ${'x'.repeat(70_000)}`), 431],
    ['a path over the limit', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['a length of ten gigabytes', `${post}Content-Length: 10000000000\r\n\r\n{`, 413],
  ];
  for (const [name, bytes, status] of refused) {
    it(`answers ${status} to ${name} and does not hang`, async () => {
      const { text } = await raw(server, bytes);
      assert.equal(statusOf(text), status, text.slice(0, 300));
    });
  }

  it('answers 431 to an upgrade with too many header lines, and closes the connection', async () => {
    const lines = Array.from({ length: 501 }, (_, i) => `X-${i}: a`);
    const upgrade = head('Host: a', 'Connection: Upgrade', 'Upgrade: websocket', ...lines);
    const { text, closed } = await raw(server, upgrade + head('Host: a'), 1_000);
    assert.equal(closed, true);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 431']);
  });

  it('closes the connection of a body that is too large, once the answer is out', async () => {
    const { text, closed } = await raw(server, `${post}Content-Length: 4000000\r\n\r\n${'x'.repeat(100_000)}`, 30_000);
    assert.equal(statusOf(text), 413);
    assert.match(text, /limit is 3145728/);
    assert.equal(closed, true);
  });

  it('ignores trailers, an Authorization among them', async () => {
    const body = `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer bad\r\n\r\n`;
    assert.equal(statusOf((await raw(server, body)).text), 422);
  });

  it('is not moved by a header named __proto__', async () => {
    assert.equal(statusOf((await raw(server, head('Host: a', '__proto__: x'))).text), 200);
  });

  it('answers an absolute-form target without believing its host', async () => {
    const request = `GET http://evil.example/api/v1/namespaces/ns/configmaps/a HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { text } = await raw(server, request);
    assert.equal(statusOf(text), 200);
    assert.doesNotMatch(text, /evil/);
  });

  it('keeps line ends and quotes out of Warning headers', async () => {
    const body = JSON.stringify({ metadata: { name: 'w' }, 'a"\r\nX-Injected: 1\u001b': 1 });
    const { text } = await raw(server, `${post}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    assert.equal(statusOf(text), 201, text);
    assert.doesNotMatch(text, /\r\nX-Injected/i);
    assert.match(text, /\r\nWarning: 299 - "/);
  });

  it('logs nothing when a client leaves in the middle of its body', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    const arrived = once(server.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    socket.write(`${post}Content-Length: 100\r\n\r\n{`);
    const [, response] = await arrived;
    socket.destroy();
    await once(response, 'close');
    await nextTurn();
    assert.deepEqual(
      server.logged.filter(([level]) => level !== 'debug'),
      [],
    );
  });
});

/** A registry that never answers. */
function stuck(): ResourceRegistry {
  return registryOfGet(() => new Promise(() => undefined));
}

/** A registry whose work fails when it is told that nobody waits for it any more. */
function abortable(): ResourceRegistry {
  return registryOfGet(
    ({ cancellation: { signal } }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  );
}

function registryOfGet(get: ResourceRegistry['get']): ResourceRegistry {
  // The other verbs are not called.
  return { selectableFields: () => new Map(), peek: () => undefined, get } as unknown as ResourceRegistry;
}

describe('deadlines', () => {
  it('end a request with 504 though the work does not notice', async () => {
    await using server = await startFixture({ options: { requestTimeoutMs: 50 }, registries: { of: stuck } });
    const response = await server.send({ path: `${path}/a` });
    assert.equal(response.status, 504);
    assert.equal(response.at('reason'), 'Timeout');
  });

  it('end a request with the whole of its 504 though the work ends with an error then', async () => {
    await using server = await startFixture({ registries: { of: abortable } });
    const h2 = http2.createServer(http2Settings, server.handler);
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${(h2.address() as AddressInfo).port}`);
    try {
      const stream = session.request({ ':path': `${path}/a?timeout=40ms` });
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpStatusHeader];
      assert.equal(headers[':status'], 504);
      const bytes: Buffer[] = [];
      for await (const chunk of stream) bytes.push(chunk as Buffer);
      assert.equal((JSON.parse(Buffer.concat(bytes).toString()) as { code: number }).code, 504);
    } finally {
      session.destroy();
      h2.close();
    }
  });

  it('follow the timeout parameter where it is shorter', async () => {
    await using server = await startFixture({ registries: { of: stuck } });
    assert.equal((await server.send({ path: `${path}/a?timeout=40ms` })).status, 504);
  });

  it('end a body that does not come', async () => {
    await using server = await startFixture({ options: { requestTimeoutMs: 50 } });
    const { text, closed } = await raw(
      server,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`,
      30_000,
    );
    assert.equal(statusOf(text), 504);
    assert.equal(closed, true);
  });
});

describe('HTTP/2', () => {
  it('answers as HTTP/1.1 does, errors and large bodies included', async () => {
    await using server = await startFixture();
    await server.configMap('a');
    const h2 = http2.createServer(http2Settings, server.handler);
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${(h2.address() as AddressInfo).port}`);
    using closing = {
      [Symbol.dispose]: () => {
        session.destroy();
        h2.close();
      },
    };
    assert.ok(closing);
    const send = async (headers: http2.OutgoingHttpHeaders, body?: Buffer) => {
      const stream = session.request(headers, { endStream: body === undefined });
      stream.on('error', () => undefined);
      if (body) stream.end(body);
      const [got] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader];
      let text = '';
      stream.setEncoding('utf8');
      for await (const chunk of stream) text += chunk;
      return { status: got[':status'], headers: got, text };
    };
    const get = await send({ ':path': `${path}/a` });
    assert.equal(get.status, 200);
    assert.match(String(get.headers['audit-id']), /^[0-9a-f-]{36}$/);
    assert.equal(get.text, (await server.send({ path: `${path}/a` })).text);
    assert.equal((await send({ ':path': `${path}/zzz` })).status, 404);
    assert.equal((await send({ ':path': `${path}/a`, ':method': 'HEAD' })).text, '');
    assert.equal((await send({ ':path': `${path}/a`, ':method': 'ZORK' })).status, 405);
    const large = await send({ ':path': path, ':method': 'POST' }, Buffer.alloc(4_000_000, 'x'));
    assert.equal(large.status, 413);
    const created = await send({ ':path': path, ':method': 'POST' }, Buffer.from('{"metadata":{"name":"h2"}}'));
    assert.equal(created.status, 201);
  });

  it('ends the stream of a client that still sends when it has its answer', async () => {
    await using server = await startFixture();
    const h2 = http2.createServer(http2Settings, server.handler);
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${(h2.address() as AddressInfo).port}`);
    const statusOfUnread = async (target: string, send: (stream: http2.ClientHttp2Stream) => void) => {
      const stream = session.request({ ':path': target, ':method': 'POST' }, { endStream: false });
      send(stream);
      const [got] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader];
      stream.resume();
      // `closed` is true from the reset on; the event of that name waits for what Node has not sent yet.
      while (!stream.closed) await delay(5);
      return got[':status'];
    };
    try {
      const large = Buffer.alloc(4_000_000, 'x');
      assert.equal(await statusOfUnread(path, (stream) => stream.end(large)), 413);
      assert.equal(await statusOfUnread('/nowhere', (stream) => stream.end(large)), 404);
      assert.equal(await statusOfUnread(`${path}?timeout=100ms`, (stream) => stream.write('{')), 504);
    } finally {
      session.destroy();
      h2.close();
    }
  });
});
