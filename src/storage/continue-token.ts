import { isSafeSegment } from './object-key.ts';
import { StorageError } from './storage-error.ts';

/** Where a list goes on. */
export interface ContinuePosition {
  /** The revision of the first page, or `newestRevision`. */
  readonly revision: number;
  /** The last key that was sent; the next page begins behind it. */
  readonly afterKey: string;
}

/** Stands for a continuation at the newest revision, which is not consistent with the pages before it. */
export const newestRevision = -1;

const tokenVersion = 1;
/** A name may be long, but never near this; what is longer was not made here. */
const tokenLimit = 16_384;

/** The opaque token for a position. `prefix` is the prefix of the list's keys; the token holds the key behind it. */
export function encodeContinueToken({ revision, afterKey }: ContinuePosition, prefix: string): string {
  const content = { v: tokenVersion, rv: revision, k: afterKey.slice(prefix.length) };
  return Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
}

/**
 * Reads a token that a client sent. The key always lies behind `prefix`, the list's own, whatever the token says. Throws
 * InvalidArgument for a token that was not made here.
 */
export function decodeContinueToken(token: string, prefix: string): ContinuePosition {
  const content = parse(token);
  if (content['v'] !== tokenVersion) throw invalid('its version is unknown');
  const { rv, k } = content;
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || (rv < 1 && rv !== newestRevision)) {
    throw invalid('its resourceVersion is not valid');
  }
  const segments = typeof k === 'string' ? k.split('/') : [];
  if (segments.length < 1 || segments.length > 2 || !segments.every(isSafeSegment))
    throw invalid('its key is not valid');
  return { revision: rv, afterKey: `${prefix}${segments.join('/')}` };
}

function parse(token: string): Record<string, unknown> {
  if (token.length > tokenLimit) throw invalid('it is too long');
  if (!/^[A-Za-z0-9_-]+$/.test(token)) throw invalid('it is not base64url');
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    // Any object may be read as a record of unknown values.
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>;
  } catch (cause) {
    throw invalid('it cannot be decoded', cause);
  }
  throw invalid('it cannot be decoded');
}

function invalid(why: string, cause?: unknown): StorageError {
  return new StorageError('InvalidArgument', `continue key is not valid: ${why}`, { cause });
}
