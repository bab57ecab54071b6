import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { http2Floods } from './http2-floods.ts';
import { flags, frame, frameTypes, requestBlock, requestFrame } from './http2-frames.ts';
import { isEnded, openHttp2Peer } from './http2-peer.ts';
import { openHttp2, openStream } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';

describe('a hostile client of HTTP/2', () => {
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

  for (const { name, reading, send } of http2Floods) {
    it(`that ${name} is given up (B91)`, async () => {
      const peer = await openHttp2Peer(server, reading);
      await send(peer, server.token);
      // One that reads nothing sees only now that the server is gone.
      peer.socket.resume();
      await until('the connection to be given up', () => {
        return isEnded(peer) || peer.frames().some((type) => type === frameTypes.reset);
      });
      peer.socket.destroy();
    });
  }

  it('that does not encode the bytes of a path has them read as UTF-8', async () => {
    const session = await openHttp2(server);
    const textOf = async (path: string): Promise<string> => {
      // Node sends a character for each byte.
      const stream = openStream(server, session, { ':path': Buffer.from(path).toString('latin1') });
      stream.setEncoding('utf8');
      let text = '';
      for await (const piece of stream) text += String(piece);
      return text;
    };
    assert.match(await textOf(`${maps}/größe`), /configmaps \\"größe\\" not found/);
    assert.match(await textOf(`${maps}?labelSelector=a%3Dgröße`), /invalid label value: \\"größe\\"/);
    session.close();
  });

  it('that opens a thousand streams has a hundred, and one that gives them no window is cut (B91)', async () => {
    const peer = await openHttp2Peer(server);
    peer.socket.write(frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])));
    const requests = Array.from({ length: 1_000 }, (_, i) => requestFrame(2 * i + 1, block()));
    peer.socket.write(Buffer.concat(requests));
    await until('streams to be refused or the connection to be given up', () => {
      return isEnded(peer) || peer.frames().filter((type) => type === frameTypes.reset).length >= 500;
    });
    await until('the rest to be cut', () => {
      return (
        peer.closed() || peer.frames().filter((type) => type === frameTypes.reset).length >= 1_000 || isEnded(peer)
      );
    });
    peer.socket.destroy();
  });

  it('that shows no identity, or a wrong one, has one request on a connection (B91)', async () => {
    await using closed = await startServer({ anonymousAuth: false, drainTimeoutMs: 500 });
    for (const token of ['wrong', '']) {
      const peer = await openHttp2Peer(closed);
      peer.socket.write(requestFrame(1, requestBlock('GET', maps, token)));
      await until('GOAWAY', () => isEnded(peer));
      await until('the connection to be closed', () => peer.closed());
    }
    const known = await openHttp2Peer(server);
    for (let i = 0; i < 3; i++) {
      known.socket.write(requestFrame(2 * i + 1, block()));
      await until('an answer', () => known.frames().filter((type) => type === frameTypes.headers).length === i + 1);
    }
    assert.ok(!isEnded(known));
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
      const peer = await openHttp2Peer(server);
      peer.socket.write(bytes);
      await until('the connection to be given up', () => isEnded(peer));
      peer.socket.destroy();
    }
  });
});
