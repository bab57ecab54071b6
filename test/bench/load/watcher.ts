import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { LoadTarget } from './http-client.ts';

/** The end of every watch frame; inside JSON a line feed is always escaped. */
const frameEnd = Buffer.from('}\n');
const headerEnd = Buffer.from('\r\n\r\n');

/** One watch on a connection of its own, read as cheaply as can be so that the reader is not what is measured. */
export class Watcher {
  readonly #socket: TLSSocket;
  readonly #place: LoadTarget;
  /** Frames that have come. */
  events = 0;
  /** Pieces in which they came; TLS delivers each write by itself. */
  pieces = 0;

  private constructor(socket: TLSSocket, place: LoadTarget) {
    this.#socket = socket;
    this.#place = place;
  }

  /** Connects without asking for anything yet. */
  static async connect(place: LoadTarget): Promise<Watcher> {
    const { hostname, port } = new URL(place.url);
    const socket = connect({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    await once(socket, 'secureConnect');
    return new Watcher(socket, place);
  }

  /** Asks for a watch and answers when it has begun. */
  async start(path: string): Promise<void> {
    const headers = Object.entries(this.#place.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${headers.join('')}\r\n`);
    const [first] = (await once(this.#socket, 'data')) as [Buffer];
    if (!first.subarray(0, 15).includes(' 200 ')) throw new Error(`${path}: ${first.toString().slice(0, 400)}`);
    const end = first.indexOf(headerEnd);
    this.#count(first.subarray(end + headerEnd.length));
    this.#socket.on('data', (piece: Buffer) => this.#count(piece));
    this.#socket.on('error', () => {});
  }

  close(): void {
    this.#socket.destroy();
  }

  #count(piece: Buffer): void {
    let found = 0;
    for (let at = piece.indexOf(frameEnd); at >= 0; at = piece.indexOf(frameEnd, at + 2)) found++;
    this.events += found;
    if (found > 0) this.pieces++;
  }
}

/** Connects many watchers, a few at a time. */
export async function connectWatchers(place: LoadTarget, count: number): Promise<Watcher[]> {
  const watchers: Watcher[] = [];
  while (watchers.length < count) {
    const some = Math.min(50, count - watchers.length);
    watchers.push(...(await Promise.all(Array.from({ length: some }, () => Watcher.connect(place)))));
  }
  return watchers;
}

/** All that the watchers have read so far. */
export function totals(watchers: readonly Watcher[]): { readonly events: number; readonly pieces: number } {
  let [events, pieces] = [0, 0];
  for (const watcher of watchers) {
    events += watcher.events;
    pieces += watcher.pieces;
  }
  return { events, pieces };
}
