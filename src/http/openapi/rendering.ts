import { createHash } from 'node:crypto';
import type { Exchange } from '../request/exchange.ts';
import { compressed, sendAsItIs, sendBytes } from '../respond/send-bytes.ts';

/** The bytes of a document, made once for all clients. */
export interface Rendering {
  readonly contentType: string;
  readonly body: Buffer;
  /** Changes with the bytes. */
  readonly hash: string;
  /** The compressed bytes, made on first use. */
  readonly gzip: () => Promise<Buffer>;
}

/** Returns the rendering of a document. */
export function renderingOf(body: Buffer, contentType: string): Rendering {
  const hash = createHash('sha512').update(body).digest('hex').toUpperCase();
  let gzip: Promise<Buffer> | undefined;
  return { contentType, body, hash, gzip: () => (gzip ??= compressed(body)) };
}

/** How long a response may be kept; absent, as every other response. */
interface Freshness {
  readonly cacheControl?: string;
  readonly expires?: string;
}

/** Sends a document, or 304 to a client that has it. */
export function sendRendering(
  exchange: Exchange,
  { contentType, body, hash, gzip }: Rendering,
  { cacheControl, expires }: Freshness = {},
): Promise<void> | void {
  const etag = `"${hash}"`;
  const kept = cacheControl ? { cacheControl } : {};
  const headers = {
    ...(expires ? { Expires: expires } : {}),
    ETag: etag,
    Vary: 'Accept',
  };
  if (hasTag(exchange.request.headers['if-none-match'], etag)) {
    return sendAsItIs(exchange, { status: 304, contentType, body: Buffer.alloc(0), headers, ...kept });
  }
  return sendBytes(exchange, { status: 200, contentType, body, compress: gzip, headers, ...kept });
}

/** Compares with the tags of If-None-Match (RFC 9110, 13.1.2). */
function hasTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
