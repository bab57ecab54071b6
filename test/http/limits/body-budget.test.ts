import assert from 'node:assert/strict';
import type { TLSSocket } from 'node:tls';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { head, openHttp1, openHttp2, openStream, statusOf } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const maxBodyBytes = 4_000_000;
const size = 400_000;
const type = 'Content-Type: application/json\r\n';

describe('the budget of request bodies', () => {
  it('refuses bodies beyond it with 429, declared or not, and takes others when they have ended', async () => {
    await using server = await startServer({ maxBodyBytes });
    const sockets: TLSSocket[] = [];
    const texts: (() => string)[] = [];
    const open = async (headers: string, piece: string): Promise<void> => {
      const socket = await openHttp1(server);
      let text = '';
      socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
      socket.write(head(server, 'POST', maps, type + headers));
      socket.write(piece);
      sockets.push(socket);
      texts.push(() => text);
    };
    const unfinished = '"'.padEnd(size, 'x');
    for (let i = 0; i < 20; i++) await open(`Content-Length: ${size + 1}\r\n`, unfinished);
    for (let i = 0; i < 20; i++) {
      await open('Transfer-Encoding: chunked\r\n', `${size.toString(16)}\r\n${unfinished}\r\n`);
    }
    const refused = (): number => texts.filter((text) => /^HTTP\/1\.1 429 .*"TooManyRequests"/s.test(text())).length;
    // What has been taken together is no more than the budget, which has room for less than ten.
    await until('all but those in the budget to be refused', () => refused() >= 31);
    assert.ok(refused() < 40, 'some are taken');
    const session = await openHttp2(server);
    const stream = openStream(server, session, { ':method': 'POST', ':path': maps }, false);
    stream.end(JSON.stringify({ metadata: { name: 'large' }, data: { a: 'x'.repeat(size * 3) } }));
    assert.equal(await statusOf(stream), 429);
    session.destroy();
    for (const socket of sockets) socket.destroy();
    const object = { metadata: { name: 'a' }, data: { a: 'x'.repeat(size) } };
    await until('a body to be taken', async () => (await request(server, 'POST', maps, object)).status === 201);
  });

  it('does not keep a body that drips: its request ends in its time, with 504', async () => {
    await using server = await startServer({ requestTimeoutMs: 600, drainTimeoutMs: 500 });
    const socket = await openHttp1(server);
    let text = '';
    let closed = false;
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).once('close', () => (closed = true));
    socket.write(head(server, 'POST', maps, `${type}Content-Length: 100000\r\n`));
    const session = await openHttp2(server);
    const stream = openStream(server, session, { ':method': 'POST', ':path': maps }, false);
    const drips = setInterval(() => {
      if (!closed) socket.write(' ');
      if (!stream.closed) stream.write(' ');
    }, 20);
    assert.equal(await statusOf(stream), 504);
    await until('the connection to be closed', () => closed);
    assert.match(text, /^HTTP\/1\.1 504 /);
    await until('the stream to be closed', () => stream.resume().closed);
    clearInterval(drips);
    session.destroy();
  });

  it('is not evaded by the bodies of watches, of which nothing is kept', async () => {
    await using server = await startServer();
    const session = await openHttp2(server);
    // Much more than the window of a stream, which is all that comes of a body that is kept.
    const body = Buffer.alloc(5 * 1024 * 1024);
    const watch = openStream(server, session, { ':path': `${maps}?watch=1` }, false);
    assert.equal(await statusOf(watch), 200);
    let taken = false;
    watch.write(body, () => (taken = true));
    await until('the body to be taken', () => taken);
    session.destroy();
  });

  it('counts what it costs to keep a body that comes in the smallest of pieces', async () => {
    await using server = await startServer({ maxBodyBytes });
    const socket = await openHttp1(server);
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
    socket.write(head(server, 'POST', maps, `${type}Transfer-Encoding: chunked\r\n`));
    // A hundredth of the budget in bytes, but each of them is a piece of its own.
    socket.write('1\r\n \r\n'.repeat(maxBodyBytes / 100));
    await until('an answer', () => text !== '');
    assert.match(text, /^HTTP\/1\.1 429/);
    socket.destroy();
  });
});
