import { createHash, type Hash } from 'node:crypto';
import { nextTurn } from '../../async/yield-if-long.ts';
import type { Exchange } from '../request/exchange.ts';
import { compressed, sendAsItIs, sendBytes } from '../../http-protocol/responses/send-bytes.ts';

/** The bytes of a document, made once for all clients. */
export interface EncodedDocument {
  readonly contentType: string;
  readonly body: Buffer;
  /** Changes with the bytes. */
  readonly hash: string;
  /** The compressed bytes, made on first use. */
  readonly gzip: () => Promise<Buffer>;
}

/** Bytes of a document that are hashed in one turn of the event loop: some milliseconds. */
const hashedAtOnce = 2 << 20;

/** Returns the document with these bytes, which may be many. Yields to other requests. */
export async function encodedYielding(body: Buffer, contentType: string): Promise<EncodedDocument> {
  const hash = createHash('sha512');
  for (let at = 0; at < body.length; at += hashedAtOnce) {
    await nextTurn();
    hash.update(body.subarray(at, at + hashedAtOnce));
  }
  return withHash(body, contentType, hash);
}

/** Returns a small document with these bytes. */
export function encodedDocument(body: Buffer, contentType: string): EncodedDocument {
  return withHash(body, contentType, createHash('sha512').update(body));
}

function withHash(body: Buffer, contentType: string, digest: Hash): EncodedDocument {
  const hash = digest.digest('hex').toUpperCase();
  let gzip: Promise<Buffer> | undefined;
  return { contentType, body, hash, gzip: () => (gzip ??= compressed(body)) };
}

/** How long a response may be kept; absent, as every other response. */
interface Freshness {
  readonly cacheControl?: string;
  readonly expires?: string;
}

/** Sends a document, or 304 to a client that has it. */
export function sendEncoded(
  exchange: Exchange,
  { contentType, body, hash, gzip }: EncodedDocument,
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
