import { isSafeSegment } from '../port/object-key.ts';
import { StorageError } from '../port/storage-error.ts';

/** The position where a list continues. */
export interface ContinuePosition {
  /** The revision of the first page, or `newestRevision`. */
  readonly revision: number;
  /** The last key that was sent; the next page starts after it. */
  readonly afterKey: string;
}

/**
 * The revision of a continuation at the newest state, which is not consistent with the previous
 * pages.
 */
export const newestRevision = -1;

const tokenVersion = 1;
/** Longer than any token made here: names are much shorter. */
const tokenLimit = 16_384;

/**
 * Encodes a position as an opaque token. The token holds the key without `prefix`, the key prefix
 * of the list.
 */
export function encodeContinueToken({ revision, afterKey }: ContinuePosition, prefix: string): string {
  const content = { v: tokenVersion, rv: revision, k: afterKey.slice(prefix.length) };
  return Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
}

/**
 * Decodes a token that a client sent. The returned key always begins with `prefix`, so that a token
 * cannot reach other keys. Throws InvalidArgument for a malformed token.
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
