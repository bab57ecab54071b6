/** Headers of one connection, besides those that Connection names (RFC 9110, 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Reports whether a header belongs to one connection, by its name in lower case. */
export function isHopByHop(lowerCaseName: string): boolean {
  return hopByHop.has(lowerCaseName);
}

/**
 * Returns the header of a request for a backend that asks for trailers, if its client did. `TE`
 * itself belongs to one connection.
 */
export function trailersAccepted(rawHeaders: readonly string[]): readonly string[] {
  const accepted = headerValues(rawHeaders, 'te').flatMap((value) => value.split(','));
  return accepted.some((part) => part.trim().toLowerCase() === 'trailers') ? ['TE', 'trailers'] : [];
}

/**
 * Returns the headers of a message without the headers of one connection and the ones that
 * `isOmitted` selects by lower-case name. Names and values alternate.
 */
export function endToEndHeaders(rawHeaders: readonly string[], isOmitted: (name: string) => boolean): string[] {
  const named = new Set(
    headerValues(rawHeaders, 'connection').flatMap((value) =>
      value.split(',').map((name) => name.trim().toLowerCase()),
    ),
  );
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    // Names of HTTP/2 that begin with a colon are no headers.
    if (lower.startsWith(':') || hopByHop.has(lower) || named.has(lower) || isOmitted(lower)) continue;
    kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
}

/** Returns all values of a header, by its name in lower case. */
export function headerValues(rawHeaders: readonly string[], lowerCaseName: string): string[] {
  return rawHeaders.flatMap((text, index) =>
    index % 2 === 0 && text.toLowerCase() === lowerCaseName ? [rawHeaders[index + 1] ?? ''] : [],
  );
}
