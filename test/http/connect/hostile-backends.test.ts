import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { request } from '../http-client.ts';
import { openHttp2, openStream } from '../limits/raw-clients.ts';
import { sendRaw } from '../raw-socket.ts';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';

const upgradeLines = ['Connection: Upgrade', 'Upgrade: websocket'];

describe('a server behind a proxy that', () => {
  let world: NodeWorld;
  let target: Server;
  let path: string;
  let handle: (socket: Socket) => void;

  before(async () => {
    world = await startNodeWorld();
    target = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => handle(socket));
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    // A listening TCP server has such an address.
    const { port } = target.address() as AddressInfo;
    await world.createPod('web', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '127.0.0.1');
    path = `${podsPath}/web:${port}/proxy/`;
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    target.close();
  });

  async function upgraded(): Promise<string> {
    const { host } = new URL(world.server.url);
    const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${world.server.token}`];
    return (await sendRaw(world.server, [...head, ...upgradeLines, '', ''].join('\r\n'))).text;
  }

  const broken: Readonly<Record<string, string>> = {
    'closes the connection': '',
    'speaks another protocol': 'SSH-2.0-OpenSSH\r\n',
    'sends headers without end': `HTTP/1.1 200 OK\r\n${`X: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`,
    'sends two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  };
  for (const [what, bytes] of Object.entries(broken)) {
    it(`${what} is reported as not reached`, async () => {
      handle = (socket) => socket.end(bytes);
      const response = await request(world.server, 'GET', path);
      assert.equal(response.status, 503, response.text);
      assert.match((response.body as { message: string }).message, /^error trying to reach service: /);
      assert.match(await upgraded(), /^HTTP\/1\.1 500 [\s\S]*error dialing backend: /);
    });
  }

  it('sends a status that there is not is reported as not reached', async () => {
    handle = (socket) => socket.end('HTTP/1.1 099 None\r\nContent-Length: 0\r\n\r\n');
    const response = await request(world.server, 'GET', path);
    assert.equal(response.status, 503, response.text);
    assert.match(response.text, /malformed HTTP status code/);
  });

  it('repeats headers that have one value has the first passed on over HTTP/2', async () => {
    const repeated = 'ETag: "a"\r\nETag: "b"\r\nSet-Cookie: c\r\nSet-Cookie: d\r\n';
    handle = (socket) => socket.end(`HTTP/1.1 200 OK\r\n${repeated}Content-Length: 2\r\n\r\nok`);
    const session = await openHttp2(world.server);
    const stream = openStream(world.server, session, { ':path': path });
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
    session.destroy();
    assert.deepEqual([headers[':status'], headers.etag, headers['set-cookie']], [200, '"a"', ['c', 'd']]);
  });

  it('changes the protocol without being asked gets no tunnel', async () => {
    handle = (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nbytes');
    const response = await request(world.server, 'GET', path);
    assert.equal(response.status, 500);
    assert.equal((response.body as { message: string }).message, 'invalid upgrade response: status code 101');
  });

  it('refuses an upgrade has its error passed on, and its connection closed', async () => {
    let closed: Promise<unknown> | undefined;
    handle = (socket) => {
      closed = once(socket, 'close');
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: not\r\n\r\nno');
    };
    const text = await upgraded();
    assert.match(text, /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*X-Why: not\r\n[\s\S]*\r\n\r\nno$/);
    await closed;
  });

  it('answers an upgrade as if there were none gets no tunnel (CVE-2018-1002105)', async () => {
    let closed: Promise<unknown> | undefined;
    handle = (socket) => {
      closed = once(socket, 'close');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    };
    assert.match(await upgraded(), /^HTTP\/1\.1 500 [\s\S]*invalid upgrade response: status code 200/);
    await closed;
  });

  it('ends in the middle of a body breaks the response off', async () => {
    handle = (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n');
    await assert.rejects(request(world.server, 'GET', path));
    handle = (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nno gzip');
    await assert.rejects(request(world.server, 'GET', path));
  });
});
