import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { frameTypes, preface } from './http2-frames.ts';

/** The server that a connection goes to. */
export interface PeerTarget {
  readonly url: string;
  readonly ca: string;
}

/** A connection of HTTP/2 that sends whatever bytes it is given. What came back: the types of whole frames, and the payload of the last GOAWAY. */
export interface Http2Peer {
  readonly socket: TLSSocket;
  readonly closed: () => boolean;
  readonly frames: () => readonly number[];
}

/** Opens a connection and sends the preface; `reading` is whether it takes what the server sends. */
export async function openHttp2Peer(server: PeerTarget, reading = true): Promise<Http2Peer> {
  const { hostname, port } = new URL(server.url);
  const socket = connectTls({ host: hostname, port: Number(port), ca: server.ca, ALPNProtocols: ['h2'] });
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
export async function flood({ socket, closed }: Http2Peer, piece: Buffer, times: number): Promise<void> {
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

/** Whether the server has given the connection up. */
export function isEnded(peer: Http2Peer): boolean {
  return peer.closed() || peer.frames().includes(frameTypes.goAway);
}
