import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { Authorizer } from '../../../../src/authz/authorizer.ts';
import type { ConnectCall } from '../../../../src/api/connect/connect-subresource.ts';
import type { ExchangeEnd } from '../../../../src/http-protocol/requests/http-exchange.ts';
import { connectSubresources } from '../../../../src/catalogue/connect-subresources.ts';
import { denyAll, type Fixture, startFixture } from '../fixture.ts';

const pods = '/api/v1/namespaces/ns/pods';

async function createPod(server: Fixture): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  assert.equal((await server.send({ method: 'POST', path: pods, body })).status, 201);
}

const upgradeLines = ['Connection: Upgrade', 'Upgrade: websocket'];

function head(method: string, path: string, ...lines: readonly string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;
}

/** Sends bytes and answers all that comes until the server closes. */
function raw({ port }: Fixture, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.setTimeout(60_000, () => socket.destroy(new Error('the server keeps the connection')));
  });
}

function bodyOf(text: string): Record<string, unknown> {
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
}

/** The handlers of a test: all of the pods' proxy go to one. */
function withProxy(handler: (call: ConnectCall) => Promise<void> | void) {
  return connectSubresources.map((one) =>
    one.resource === 'pods' && one.subresource === 'proxy' ? { ...one, handler } : one,
  );
}

describe('sub-resources that are no objects', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
    await createPod(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const missing = 'the server could not find the requested resource';
  const notAllowed = 'the server does not allow this method on the requested resource';
  const cases: readonly [method: string, path: string, status: number, message: string][] = [
    ['GET', `${pods}/p/exec`, 501, 'this server does not implement pods/exec'],
    ['POST', `${pods}/p/exec?command=ls`, 501, 'this server does not implement pods/exec'],
    ['POST', `${pods}/p/attach`, 501, 'this server does not implement pods/attach'],
    ['POST', `${pods}/p/portforward`, 501, 'this server does not implement pods/portforward'],
    ['GET', `${pods}/p/log?follow=true`, 501, 'this server does not implement pods/log'],
    ['DELETE', `${pods}/p/proxy/a//b%2Fc/`, 501, 'this server does not implement pods/proxy'],
    ['OPTIONS', `${pods}/http:p:80/proxy`, 501, 'this server does not implement pods/proxy'],
    ['GET', `${pods}/none/exec`, 404, 'pods "none" not found'],
    ['GET', `${pods}/https:none:/proxy/`, 404, 'pods "none" not found'],
    ['GET', '/api/v1/namespaces/ns/services/none:80/proxy/x', 404, 'services "none" not found'],
    ['GET', '/api/v1/nodes/none/proxy/x', 404, 'nodes "none" not found'],
    ['GET', '/api/v1/nodes/ftp:none:1/proxy/x', 400, 'invalid node request "ftp:none:1"'],
    ['GET', `${pods}/:80/proxy/x`, 400, 'invalid pod request ":80"'],
    ['GET', `${pods}/p/proxy/%zz`, 400, 'invalid URL escape "%zz"'],
    ['GET', `${pods}/%ff/proxy/x`, 400, 'invalid URL escape "%ff"'],
    ['PUT', `${pods}/p/exec`, 405, notAllowed],
    ['POST', `${pods}/p/log`, 405, notAllowed],
    ['GET', `${pods}/p/exec/more`, 404, missing],
    ['GET', `${pods}/p/exec//x`, 404, missing],
    ['GET', `${pods}//exec`, 404, missing],
    ['GET', '/api/v1/pods/p/exec', 404, missing],
    ['GET', '/api/v1/namespaces/ns/nodes/n/proxy', 404, missing],
    ['GET', '/api/v1/watch/namespaces/ns/pods/p/exec', 404, missing],
  ];
  for (const [method, path, status, message] of cases) {
    it(`answers ${status} to ${method} ${path}`, async () => {
      const response = await server.send({ method, path });
      assert.equal(response.status, status, response.text);
      assert.equal(response.at('message'), message);
      assert.equal(response.at('code'), status);
    });
  }

  it('answers an upgrade in the words of a Status, and closes the connection', async () => {
    const text = await raw(server, `${head('POST', `${pods}/p/exec`, ...upgradeLines)}\x81\x00 bytes of that protocol`);
    assert.match(text, /^HTTP\/1\.1 501 /);
    assert.match(text, /\r\nConnection: close\r\n/i);
    assert.equal(bodyOf(text)['message'], 'this server does not implement pods/exec');
  });

  for (const path of [pods, `${pods}/p`, `${pods}/p/status`, '/version', '/api/v1']) {
    it(`ignores the Upgrade header of GET ${path}, and serves the next request of the connection`, async () => {
      const text = await raw(server, head('GET', path, ...upgradeLines) + head('GET', '/version', 'Connection: close'));
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    });
  }

  it('sends the responses of earlier requests before that of a pipelined upgrade', async () => {
    const earlier = head('GET', pods) + head('GET', `${pods}/none`) + head('GET', pods, ...upgradeLines);
    const text = await raw(server, earlier + head('GET', `${pods}/p/exec`, ...upgradeLines));
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 501']);
  });

  it('sends a large response to a slow reader before that of a pipelined upgrade', async () => {
    await using large = await startFixture();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await large.configMap(name, { data: { text: 'x'.repeat(900_000) } });
    }
    const socket = net.connect(large.port, '127.0.0.1');
    socket.write(head('GET', '/api/v1/configmaps') + head('GET', `${pods}/none/exec`, ...upgradeLines));
    await new Promise((resolve) => setTimeout(resolve, 200));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    await once(socket, 'close');
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
    assert.ok(text.length > 5_400_000);
  });

  it('does not serve an upgrade behind a response that closes the connection', async () => {
    const connects = withProxy(async ({ exchange }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      exchange.response.writeHead(204, ['Connection', 'close']);
      exchange.response.end();
    });
    await using closing = await startFixture({ connects });
    await createPod(closing);
    const text = await raw(closing, head('GET', `${pods}/p/proxy`) + head('GET', `${pods}/p/exec`, ...upgradeLines));
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 204']);
  });

  it('logs a sub-resource that is not implemented at debug level only', async () => {
    await using quiet = await startFixture();
    await createPod(quiet);
    assert.equal((await quiet.send({ path: `${pods}/p/log` })).status, 501);
    assert.deepEqual(
      quiet.logged.map(([level]) => level),
      ['debug'],
    );
  });

  it('serves a request that merely offers HTTP/2, its body, and those that follow', async () => {
    const body = JSON.stringify({ metadata: { name: 'offered' } });
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
    const post = head('POST', '/api/v1/namespaces/ns/configmaps', ...offer, `Content-Length: ${body.length}`) + body;
    const text = await raw(server, post + head('GET', `${pods}/p`, 'Connection: close'));
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 200']);
  });
});

describe('the filters before a sub-resource that is no object', () => {
  it('refuse who may not, with the verb of the method, an upgrade too', async () => {
    const asked: string[] = [];
    const recorder: Authorizer = {
      name: 'recorder',
      authorize: ({ verb, resource, subresource, name }) => {
        asked.push(`${verb} ${resource}/${subresource} ${name}`);
        return { decision: 'no-opinion', reason: '' };
      },
    };
    await using server = await startFixture({ authorizers: [recorder, denyAll] });
    assert.match(await raw(server, head('GET', `${pods}/p/exec`, ...upgradeLines)), /^HTTP\/1\.1 403 /);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await server.send({ method, path: `${pods}/p/proxy/a/b` })).status, 403);
    }
    const verbs = ['get', 'create', 'update', 'patch', 'delete'];
    assert.deepEqual(asked, ['get pods/exec p', ...verbs.map((verb) => `${verb} pods/proxy p`)]);
  });

  it('refuse a token that nobody knows, of an upgrade too', async () => {
    await using server = await startFixture();
    const text = await raw(server, head('GET', `${pods}/p/exec`, ...upgradeLines, 'Authorization: Bearer bad'));
    assert.match(text, /^HTTP\/1\.1 401 /);
  });

  it('set no deadline for it', async () => {
    const connects = withProxy(async ({ exchange }) => {
      await new Promise((resolve) => setTimeout(resolve, 1_300));
      exchange.response.writeHead(200);
      exchange.response.end();
    });
    await using server = await startFixture({ connects, options: { requestTimeoutMs: 1_000 } });
    await createPod(server);
    assert.equal((await server.send({ path: `${pods}/p/proxy` })).status, 200);
  });
});

describe('the bound on watches', () => {
  it('holds for sub-resources that are no objects, and leaves other reads alone', async () => {
    let arrived: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arrived = resolve));
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const connects = withProxy(async ({ exchange }) => {
      arrived();
      await left;
      exchange.response.writeHead(204);
      exchange.response.end();
    });
    const inFlight = { maxRequestsInFlight: 1, maxWatchesInFlight: 1 };
    await using server = await startFixture({ connects, options: inFlight });
    await createPod(server);
    const first = server.send({ path: `${pods}/p/proxy` });
    await held;
    assert.equal((await server.send({ path: `${pods}/p/proxy` })).status, 429);
    assert.equal((await server.send({ path: `${pods}/p` })).status, 200);
    leave();
    assert.equal((await first).status, 204);
    assert.equal((await server.send({ path: `${pods}/p/proxy` })).status, 204);
  });
});

describe('the handler of a sub-resource that is no object', () => {
  it('is given the path behind it as it was sent', async () => {
    const seen: string[] = [];
    const connects = withProxy(({ exchange, path, sentName, scope }) => {
      seen.push(`${sentName} ${scope.name} ${path} ${exchange.path.query}`);
      exchange.response.writeHead(204);
      exchange.response.end();
    });
    await using server = await startFixture({ connects });
    await createPod(server);
    const paths = ['', '/', '//', '/a//b%2Fc/%2e%2e/./d/', '/%ff/%FE', '/x?y=%20&z'];
    for (const path of paths) assert.equal((await server.send({ path: `${pods}/p:80/proxy${path}` })).status, 204);
    assert.deepEqual(
      seen,
      ['', '/', '//', '/a//b%2Fc/%2e%2e/./d/', '/%ff/%FE', '/x'].map(
        (path, at) => `p:80 p ${path} ${at === 5 ? 'y=%20&z' : ''}`,
      ),
    );
  });

  it('owns the connection of an upgrade that it accepts, from its first byte on', async () => {
    const ends: ExchangeEnd[] = [];
    const connects = withProxy(({ exchange, upgrade }) => {
      exchange.onEnd((end) => ends.push(end));
      const socket = upgrade?.accept('echo', ['X-Seen', upgrade.protocol]);
      socket?.on('data', (chunk: Buffer) => {
        exchange.sentBytes += chunk.length;
        socket.write(chunk.toString().toUpperCase());
      });
      socket?.on('end', () => socket.end());
    });
    await using server = await startFixture({ connects });
    await createPod(server);
    const socket = net.connect(server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`${head('GET', `${pods}/p/proxy`, 'Connection: Upgrade', 'Upgrade: echo')}first `);
    await once(socket, 'data');
    while (!text.endsWith('FIRST ')) await once(socket, 'data');
    socket.write('second');
    while (!text.endsWith('SECOND')) await once(socket, 'data');
    assert.equal(ends.length, 0);
    socket.end();
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    assert.match(text, /\r\nUpgrade: echo\r\nX-Seen: echo\r\n/);
    assert.ok(text.endsWith('\r\n\r\nFIRST SECOND'));
    const [end] = ends;
    assert.deepEqual({ ...end, durationMs: 0 }, { status: 101, bytes: 12, durationMs: 0, aborted: false });
  });

  it('answers an upgrade that it does not accept as any other request', async () => {
    const connects = withProxy(({ exchange, upgrade }) => {
      exchange.response.writeHead(200, ['X-Wanted', upgrade?.protocol ?? '']);
      exchange.response.end(Buffer.from('plain'));
    });
    await using server = await startFixture({ connects });
    await createPod(server);
    const text = await raw(server, head('GET', `${pods}/p/proxy`, ...upgradeLines));
    assert.match(text, /^HTTP\/1\.1 200 OK\r\nX-Wanted: websocket\r\n/);
    assert.ok(text.includes('plain'));
  });

  it('is notified when the connection of an upgrade breaks', async () => {
    let ended: (end: ExchangeEnd) => void = () => undefined;
    const gone = new Promise<ExchangeEnd>((resolve) => (ended = resolve));
    const connects = withProxy(({ exchange, upgrade }) => {
      exchange.onEnd(ended);
      upgrade?.accept('echo').resume();
    });
    await using server = await startFixture({ connects });
    await createPod(server);
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write(head('GET', `${pods}/p/proxy`, 'Connection: Upgrade', 'Upgrade: echo'));
    await once(socket, 'data');
    socket.resetAndDestroy();
    assert.equal((await gone).status, 101);
  });
});
