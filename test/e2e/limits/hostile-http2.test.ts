import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { flags, frame, frameTypes, header, preface, requestBlock, requestFrame } from './http2-frames.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** What came back: the types of whole frames, and the payload of the last GOAWAY. */
interface Peer {
  readonly socket: TLSSocket;
  readonly closed: () => boolean;
  readonly frames: () => readonly number[];
}

async function open(server: TestServer, reading = true): Promise<Peer> {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['h2'] });
  let closed = false;
  socket.on('error', () => undefined).once('close', () => (closed = true));
  await once(socket, 'secureConnect');
  const types: number[] = [];
  let rest = Buffer.alloc(0);
  const take = (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes]);
    for (let length = 0; rest.length >= 9; rest = rest.subarray(9 + length)) {
      length = rest.readUIntBE(0, 3);
      if (rest.length < 9 + length) break;
      types.push(rest[3] ?? 0);
    }
  };
  if (reading) socket.on('data', take);
  socket.write(preface);
  return { socket, closed: () => closed, frames: () => types };
}

/** Writes a flood piece by piece while the connection takes it. */
async function flood({ socket, closed }: Peer, piece: Buffer, times: number): Promise<void> {
  for (let i = 0; i < times && !closed() && socket.writable; i++) {
    if (socket.write(piece)) continue;
    await drainedOrClosed(socket);
  }
}

function drainedOrClosed(socket: TLSSocket): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });
}

const ended = (peer: Peer): boolean => peer.closed() || peer.frames().includes(frameTypes.goAway);

describe('a hostile client of HTTP/2', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startServer({ stuckReaderMs: 2_000, drainTimeoutMs: 500 });
    assert.equal((await request(server, 'POST', maps, { metadata: { name: 'target' } })).status, 201);
  });
  after(() => server.stop());
  afterEach(async () => {
    assert.equal((await request(server, 'GET', `${maps}/target`)).status, 200, 'others are answered');
  });

  const block = (): Buffer => requestBlock('GET', maps, server.token);

  it('that resets its requests at once is sent GOAWAY (B91, CVE-2023-44487)', async () => {
    const peer = await open(server);
    const reset = Buffer.from([0, 0, 0, 8]);
    const pieces: Buffer[] = [];
    for (let i = 0; i < 20_000; i++) {
      pieces.push(requestFrame(2 * i + 1, block()), frame(frameTypes.reset, 0, 2 * i + 1, reset));
    }
    for (let i = 0; i < pieces.length; i += 200) await flood(peer, Buffer.concat(pieces.slice(i, i + 200)), 1);
    await until('the connection to be given up', () => ended(peer));
    peer.socket.destroy();
  });

  it('that never ends its headers is cut (B91, CONTINUATION flood)', async () => {
    const peer = await open(server);
    peer.socket.write(frame(frameTypes.headers, flags.endStream, 1, block()));
    const more = frame(
      frameTypes.continuation,
      0,
      1,
      Buffer.concat(Array(100).fill(header('x-filler', 'x'.repeat(100)))),
    );
    await flood(peer, more, 2_000);
    await until('the connection to be given up', () => ended(peer));
    peer.socket.destroy();
  });

  for (const [what, piece] of [
    ['pings', frame(frameTypes.ping, 0, 0, Buffer.alloc(8))],
    ['settings', frame(frameTypes.settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100]))],
  ] as const) {
    it(`that sends ${what} without end and reads nothing is cut (B91)`, async () => {
      const peer = await open(server, false);
      await flood(peer, Buffer.concat(Array(1_000).fill(piece)), 2_000);
      // It reads nothing: what shows is that the server takes no more, or is gone.
      peer.socket.resume();
      await until('the connection to be given up', () => peer.closed());
    });
  }

  it('that refers to a large header again and again is refused (B91, HPACK bomb)', async () => {
    const peer = await open(server);
    const large = Buffer.concat([block(), header('x-large', 'x'.repeat(3_000), true)]);
    peer.socket.write(requestFrame(1, large));
    // The first entry of the dynamic table, in one byte each.
    for (let i = 1; i < 50; i++) {
      const bomb = Buffer.concat([block(), Buffer.alloc(10_000, 0x80 | 62)]);
      peer.socket.write(requestFrame(2 * i + 1, bomb));
    }
    await until('an answer', () => peer.closed() || peer.frames().some((type) => type === 1 || type === 3));
    peer.socket.destroy();
  });

  it('that opens a thousand streams has a hundred, and one that gives them no window is cut (B91)', async () => {
    const peer = await open(server);
    peer.socket.write(frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])));
    const requests = Array.from({ length: 1_000 }, (_, i) => requestFrame(2 * i + 1, block()));
    peer.socket.write(Buffer.concat(requests));
    await until('streams to be refused or the connection to be given up', () => {
      return ended(peer) || peer.frames().filter((type) => type === frameTypes.reset).length >= 500;
    });
    await until('the rest to be cut', () => {
      return peer.closed() || peer.frames().filter((type) => type === frameTypes.reset).length >= 1_000 || ended(peer);
    });
    peer.socket.destroy();
  });

  it('that shows no identity, or a wrong one, has one request on a connection (B91)', async () => {
    await using closed = await startServer({ anonymousAuth: false, drainTimeoutMs: 500 });
    for (const token of ['wrong', '']) {
      const peer = await open(closed);
      peer.socket.write(requestFrame(1, requestBlock('GET', maps, token)));
      await until('GOAWAY', () => ended(peer));
      await until('the connection to be closed', () => peer.closed());
    }
    const known = await open(server);
    for (let i = 0; i < 3; i++) {
      known.socket.write(requestFrame(2 * i + 1, block()));
      await until('an answer', () => known.frames().filter((type) => type === frameTypes.headers).length === i + 1);
    }
    assert.ok(!ended(known));
    known.socket.destroy();
  });

  it('that breaks the rules of frames is sent GOAWAY (B91)', async () => {
    for (const bytes of [
      frame(frameTypes.data, 0, 0, Buffer.from('x')),
      frame(frameTypes.headers, flags.endHeaders, 2, block()),
      frame(frameTypes.continuation, flags.endHeaders, 1, block()),
      Buffer.alloc(64, 0xff),
      frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff])),
    ]) {
      const peer = await open(server);
      peer.socket.write(bytes);
      await until('the connection to be given up', () => ended(peer));
      peer.socket.destroy();
    }
  });
});
