/** Types of frames of HTTP/2 (RFC 9113, 6). */
export const frameTypes = Object.freeze({
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  continuation: 9,
});

/** Flags of frames. */
export const flags = Object.freeze({ none: 0, endStream: 1, endHeaders: 4 });

/** The preface of a client, with empty settings. */
export const preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(frameTypes.settings, 0, 0),
]);

/** A frame of HTTP/2. */
export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header that is not put in the dynamic table (RFC 7541, 6.2.2), or is (6.2.1). */
export function header(name: string, value: string, kept = false): Buffer {
  return Buffer.concat([Buffer.from([kept ? 0x40 : 0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

/** The header block of a request; a token '' is none. */
export function requestBlock(method: string, path: string, token: string): Buffer {
  return Buffer.concat([
    header(':method', method),
    header(':scheme', 'https'),
    header(':path', path),
    header(':authority', 'x'),
    ...(token === '' ? [] : [header('authorization', `Bearer ${token}`)]),
  ]);
}

/** A request without a body on a stream. */
export function requestFrame(stream: number, block: Buffer): Buffer {
  return frame(frameTypes.headers, flags.endStream | flags.endHeaders, stream, block);
}
