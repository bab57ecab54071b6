import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { head, openHttp1, openHttp2, openStream, openTcp } from '../../http/limits/raw-clients.ts';
import type { Address } from '../api-client.ts';
import { bulkPath, writeBulk } from '../bulk-objects.ts';
import { residentBytes } from '../process-state.ts';
import { rounds, type Scenario } from '../scenario.ts';
import { becomesTrue } from '../until.ts';

/** One of a client's connections, as far as these faults look at it. */
interface Peer {
  readonly isClosed: () => boolean;
  readonly destroy: () => void;
}

interface Closable {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

function peerOf(connection: Closable): Peer {
  let closed = false;
  connection.once('close', () => (closed = true));
  return { isClosed: () => closed, destroy: () => void connection.destroy() };
}

/** Sends text on a connection of its own. One that does not read takes nothing of the answer behind its beginning. */
async function say(address: Address, text: string, reading = true): Promise<Peer> {
  const socket = await openHttp1(address);
  const peer = peerOf(socket);
  socket.write(text);
  if (reading) socket.resume();
  else {
    await once(socket, 'data');
    socket.pause();
    // A paused socket learns of its end when it writes.
    const probe = setInterval(() => socket.write('x'), 500);
    socket.once('close', () => clearInterval(probe));
  }
  return peer;
}

async function stream(address: Address, path: string): Promise<Peer> {
  const session = await openHttp2(address);
  const opened = openStream(address, session, { ':path': path });
  await once(opened, 'response');
  return { ...peerOf(opened), destroy: () => session.destroy() };
}

/** A connection of HTTP/2 whose client never begins. */
async function prefaceless({ url, ca }: Address): Promise<Peer> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  return peerOf(socket);
}

async function many<T>(count: number, open: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, open));
}

function lateHandshake(socket: Socket, { ca }: Address, protocol: string): void {
  connectTls({ socket, ca, ALPNProtocols: [protocol] }).on('error', () => undefined);
}

const megabyte = 1 << 20;

async function grownBy(pid: number, before: number | undefined): Promise<number> {
  return ((await residentBytes(pid)) ?? 0) - (before ?? 0);
}

const stopLimits = ['--request-timeout=3s', '--stuck-reader-timeout=3s'];
/** The time of a request, and as much again on a busy machine. */
const stopMs = 15_000;

/** P32, F51: the stop has an end, and leaves nobody behind. */
export const serverStopsInAStorm: Scenario = {
  name: 'when a server is stopped amid handshakes, readers, writers and watchers',
  given: { flags: stopLimits },
  errorsExpected: true,
  fault: async (context) => {
    const { client, servers, report } = context;
    const [server] = servers;
    const { address } = client;
    await writeBulk(context.etcd, 2_000, 4_000);
    const unfinished = head(address, 'POST', bulkPath, 'Content-Type: application/json\r\nContent-Length: 99\r\n');
    for (let round = 0; round < rounds(3, context); round++) {
      const late = await many(60, () => openTcp(address));
      const groups = await Promise.all([
        many(20, () => say(address, '')),
        many(20, async () => peerOf(await openHttp2(address))),
        many(20, () => prefaceless(address)),
        many(20, () => say(address, `${unfinished}{`)),
        many(20, () => say(address, head(address, 'GET', `${bulkPath}?watch=1`))),
        many(20, () => stream(address, `${bulkPath}?watch=1`)),
        many(10, () => say(address, head(address, 'GET', `${bulkPath}?pretty=1`), false)),
        many(10, () => stream(address, `${bulkPath}?pretty=1`)),
      ]);
      const peers = [...groups.flat(), ...late.map(peerOf)];
      let stopped = false;
      const stop = server?.stop().then(() => (stopped = true));
      for (const [i, socket] of late.entries()) lateHandshake(socket, address, i % 2 === 0 ? 'h2' : 'http/1.1');
      const ended = await becomesTrue(() => stopped, stopMs);
      if (!ended) report({ promise: 'P32', message: `the server had not stopped after ${stopMs} ms` });
      for (const { destroy } of peers) destroy();
      await stop;
      await server?.start();
    }
  },
};

const unreadCount = 20;
const largestUnreadBytes = 150 * megabyte;

/** F25 for answers of every kind: readers that do not read cost little, and not for long. */
export const responsesAreUnread: Scenario = {
  name: 'when readers ask for large lists and read nothing',
  given: { flags: ['--request-timeout=5s', '--stuck-reader-timeout=5s'] },
  errorsExpected: true,
  fault: async (context) => {
    const { client, servers, report } = context;
    const pid = servers[0]?.pid ?? 0;
    const { address } = client;
    await writeBulk(context.etcd, 2_000, 4_000);
    // The list is in memory, as text and as objects, before the readers come.
    for (const query of ['', '?pretty=1']) await client.measure(bulkPath + query);
    const before = await residentBytes(pid);
    const paths = [`${bulkPath}?pretty=1`, bulkPath];
    const peers = await Promise.all(
      paths.flatMap((path) => [
        many(unreadCount, () => say(address, head(address, 'GET', path), false)),
        many(unreadCount, () => stream(address, path)),
      ]),
    );
    const grown = await grownBy(pid, before);
    if (grown > largestUnreadBytes) {
      report({ promise: 'F25', message: `${unreadCount * 4} readers cost ${Math.round(grown / megabyte)} MB` });
    }
    const open = (): number => peers.flat().filter(({ isClosed }) => !isClosed()).length;
    const cut = await becomesTrue(() => open() === 0, 40_000);
    if (!cut) report({ promise: 'F25', message: `${open()} readers are not cut` });
    for (const { destroy } of peers.flat()) destroy();
  },
};

const unfinishedCount = 200;
const unfinishedBytes = 2_900_000;
/** The budget of bodies, and as much again for what is on its way. */
const largestBodiesBytes = 256 * megabyte;

/** F22: more is refused before memory is used up. */
export const bodiesAreUnfinished: Scenario = {
  name: 'when two hundred large bodies are never finished',
  given: { flags: ['--request-timeout=5s'] },
  errorsExpected: true,
  fault: async (context) => {
    const { client, servers, report } = context;
    const pid = servers[0]?.pid ?? 0;
    const { address } = client;
    const before = await residentBytes(pid);
    const length = `Content-Type: application/json\r\nContent-Length: ${unfinishedBytes + 1}\r\n`;
    const text = head(address, 'POST', bulkPath, length) + '"'.padEnd(unfinishedBytes, 'x');
    let refused = 0;
    const peers = await many(unfinishedCount, async () => {
      const socket = await openHttp1(address);
      socket.once('data', (piece: Buffer) => (refused += piece.includes('HTTP/1.1 429') ? 1 : 0));
      socket.write(text);
      return peerOf(socket);
    });
    await becomesTrue(() => refused > 0, 10_000);
    const grown = await grownBy(pid, before);
    if (refused === 0) report({ promise: 'P29', message: `none of ${unfinishedCount} bodies was refused` });
    if (grown > largestBodiesBytes) {
      report({ promise: 'F22', message: `${unfinishedCount} bodies cost ${Math.round(grown / megabyte)} MB` });
    }
    for (const { destroy } of peers) destroy();
    const responses = await becomesTrue(async () => (await client.send('GET', bulkPath)).status === 200);
    if (!responses) report({ promise: 'P29', message: 'the server does not answer afterwards' });
  },
};

const idleCount = 200;

/** B90: who asks nothing does not keep others out. */
export const sessionsAreIdle: Scenario = {
  name: 'when connections are opened and not used',
  given: { flags: ['--idle-timeout=2s', '--max-connections=1500'] },
  fault: async (context) => {
    const { client, report } = context;
    const { address } = client;
    const watch = await stream(address, `${bulkPath}?watch=1`);
    const idle = await Promise.all([
      many(rounds(idleCount, context), async () => peerOf(await openHttp2(address))),
      many(rounds(idleCount, context), () => prefaceless(address)),
      many(rounds(idleCount, context), () => say(address, '')),
      many(rounds(idleCount, context), async () => peerOf((await openTcp(address)).resume())),
    ]);
    const open = (): number => idle.flat().filter(({ isClosed }) => !isClosed()).length;
    // Those that never begin are closed when the time for headers is over.
    if (!(await becomesTrue(() => open() === 0, 60_000))) {
      report({ promise: 'B90', message: `${open()} connections without use are still open` });
    }
    if (watch.isClosed()) report({ promise: 'B90', message: 'a connection with an open watch was closed' });
    watch.destroy();
  },
};
