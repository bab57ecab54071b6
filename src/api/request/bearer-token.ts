import { isUtf8 } from 'node:buffer';

/**
 * The content of the Authorization headers of a request. `malformed` is a credential that is not a
 * bearer token.
 */
export type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'bearer'; readonly token: string };

/** The credential of a token in UTF-8. Node reads the bytes of a header as Latin-1. */
export function bearerOf(token: Buffer): Authorization {
  return isUtf8(token) ? { kind: 'bearer', token: token.toString() } : { kind: 'malformed' };
}

const none: Authorization = { kind: 'none' };

/**
 * The scheme, one space, and a token without spaces. The opaque tokens of some webhooks and files
 * have characters outside RFC 6750, 2.1.
 */
const bearer = /^bearer ([^ ]+)$/i;

/** Nearly all tokens; others are decoded. */
const ascii = /^[!-~]+$/;

/** Longer values are malformed; a signed token has at most a few KiB. */
const tokenLimit = 16 * 1024;

/**
 * Parses the bearer token. Needs raw headers, because Node keeps only the first of several
 * Authorization headers. With two of them, a proxy could see another user than this server.
 */
export function bearerTokenOf(rawHeaders: readonly string[]): Authorization {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return { kind: 'repeated' };
    value = rawHeaders[index + 1] ?? '';
  }
  // An empty value is no credential, as for kube-apiserver.
  if (value === undefined || value.trim() === '') return none;
  if (value.length > tokenLimit) return { kind: 'malformed' };
  const token = bearer.exec(value)?.[1];
  if (token === undefined) return { kind: 'malformed' };
  return ascii.test(token) ? { kind: 'bearer', token } : bearerOf(Buffer.from(token, 'latin1'));
}
