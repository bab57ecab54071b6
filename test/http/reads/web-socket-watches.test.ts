import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import { type AuditedServer, readEvents, startAuditedServer } from '../audit/audited-server.ts';
import { head, openHttp1 } from '../limits/raw-clients.ts';
import { request, type Target } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { configMaps } from './world.ts';

const registered = 'apiserver_registered_watchers{group="",kind="ConfigMap",version="v1"}';
const named = (name: string): string => `${configMaps}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3D${name}`;

interface OpenSocket {
  readonly socket: WebSocket;
  readonly messages: { readonly data: Buffer; readonly isBinary: boolean }[];
}

async function open(server: Target, path: string, accept = 'application/json'): Promise<OpenSocket> {
  const { host } = new URL(server.url);
  const headers = { authorization: `Bearer ${server.token}`, accept };
  const socket = new WebSocket(`wss://${host}${path}`, { ca: server.ca, headers, origin: server.url });
  const messages: OpenSocket['messages'] = [];
  socket.on('message', (data: RawData, isBinary) => messages.push({ data: data as Buffer, isBinary }));
  await once(socket, 'open');
  return { socket, messages };
}

/** Sends a request with header lines for a watch on a connection of its own; returns the whole answer. */
async function refusalOf(server: Target, lines: readonly string[]): Promise<string> {
  const socket = await openHttp1(server);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', ...lines].map((line) => `${line}\r\n`).join('');
  socket.write(head(server, 'GET', named('none'), upgrade));
  await once(socket, 'close');
  return text;
}

describe('watches over a WebSocket', () => {
  let world: AuditedServer;

  before(async () => {
    const policy = { rules: [{ level: 'Metadata' }] };
    world = await startAuditedServer({ policy, stuckReaderMs: 500, cache: { watchBudgetBytes: 1 << 30 } });
  });
  after(() => world[Symbol.asyncDispose]());

  async function create(name: string, data = {}): Promise<void> {
    assert.equal((await request(world.server, 'POST', configMaps, { metadata: { name }, data })).status, 201);
  }

  it('send each event as a message of text, answer pings, ignore messages, and end when the client closes', async () => {
    await create('text');
    const { socket, messages } = await open(world.server, named('text'));
    socket.send('ignored');
    socket.ping('hey');
    const [pong] = (await once(socket, 'pong')) as [Buffer];
    assert.equal(pong.toString(), 'hey');
    await request(world.server, 'DELETE', `${configMaps}/text`);
    await until('both events', () => messages.length === 2);
    const types = messages.map(({ data }) => (JSON.parse(data.toString()) as { type: string }).type);
    assert.deepEqual(
      [types, messages.map(({ isBinary }) => isBinary)],
      [
        ['ADDED', 'DELETED'],
        [false, false],
      ],
    );
    assert.equal((await readMetrics(world.server)).get(registered), 1);
    socket.close(1000);
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1000);
    await until('the watch to end', async () => (await readMetrics(world.server)).get(registered) === 0);
  });

  it('send events in Protobuf as binary messages without the length that a stream has before them', async () => {
    await create('binary');
    const { socket, messages } = await open(world.server, named('binary'), 'application/vnd.cluster.protobuf');
    await until('the event', () => messages.length === 1);
    const [{ data, isBinary }] = messages as [OpenSocket['messages'][0]];
    assert.deepEqual([isBinary, data.subarray(0, 7).toString('latin1')], [true, '\n\u0005ADDED']);
    socket.close();
  });

  it('end with a close frame when their time is over, and are audited as a connection that was upgraded', async () => {
    const { socket } = await open(world.server, `${named('none')}&timeoutSeconds=1&x=audited`);
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1000);
    await until('the record', async () => {
      const events = (await readEvents(world.logPath)).filter(({ requestURI }) => requestURI.endsWith('x=audited'));
      return events.some(
        ({ stage, responseStatus }) => stage === 'ResponseComplete' && responseStatus?.['code'] === 101,
      );
    });
  });

  it('are closed when their client reads nothing for too long', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await create(`large-${name}`, { filler: 'x'.repeat(1_000_000) });
    const socket = await openHttp1(world.server);
    const key = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA=='];
    const lines = [...key, 'Origin: https://x'].map((line) => `${line}\r\n`).join('');
    socket.write(head(world.server, 'GET', `${configMaps}?watch=1&resourceVersion=0`, lines));
    await once(socket, 'data');
    socket.pause();
    await until('the watch', async () => (await readMetrics(world.server)).get(registered) === 1);
    await until('the cut', async () => (await readMetrics(world.server)).get(registered) === 0);
    socket.destroy();
  });

  it('are not opened by a write that offers the upgrade: its body is read', async () => {
    const socket = await openHttp1(world.server);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    const body = JSON.stringify({ metadata: { name: 'written' } });
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Type: application/json'];
    const headers = [...lines, `Content-Length: ${body.length}`].map((line) => `${line}\r\n`).join('');
    socket.write(head(world.server, 'POST', `${configMaps}?watch=1`, headers) + body);
    await until('the answer', () => text.includes('"written"'));
    assert.match(text, /^HTTP\/1.1 201 /);
    socket.destroy();
  });

  it('are refused to a client without rights like any other request', async () => {
    const target = { ...world.server, token: 'unknown' };
    assert.match(await refusalOf(target, []), /^HTTP\/1.1 401 /);
  });

  const version = 'Sec-WebSocket-Version: 13';
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const origin = 'Origin: https://x';
  const refused: Readonly<Record<string, readonly [lines: readonly string[], answer: RegExp]>> = {
    'without a key': [[version, origin], /^HTTP\/1.1 400 [^]*mismatch challenge\/response/],
    'of another version': [
      ['Sec-WebSocket-Version: 8', key, origin],
      /^HTTP\/1.1 400 [^]*Sec-WebSocket-Version: 13\r\n[^]*missing or bad WebSocket Version/,
    ],
    'without an origin': [[version, key], /^HTTP\/1.1 403 /],
    'of an origin that is no URL': [[version, key, 'Origin: null'], /^HTTP\/1.1 403 /],
    'with several protocols': [[version, key, origin, 'Sec-WebSocket-Protocol: a, b'], /^HTTP\/1.1 400 /],
  };
  for (const [what, [lines, answer]] of Object.entries(refused)) {
    it(`refuse a handshake ${what}`, async () => assert.match(await refusalOf(world.server, lines), answer));
  }
});
