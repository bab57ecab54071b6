/**
 * The content of the Authorization headers of a request. `malformed` is a credential that is not a
 * bearer token.
 */
type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'bearer'; readonly token: string };

const none: Authorization = { kind: 'none' };

/** The scheme, one space, and the allowed characters of a token (RFC 6750, 2.1). */
const bearer = /^bearer ([A-Za-z0-9\-._~+/:]+=*)$/i;

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
  return token === undefined ? { kind: 'malformed' } : { kind: 'bearer', token };
}
