/**
 * The reason why a pattern of origins is refused; undefined if it is valid. A pattern without
 * anchors also matches origins that only contain the meant one, such as
 * `https://example.com.attacker.org`.
 */
export function corsOriginError(pattern: string): string | undefined {
  try {
    void new RegExp(pattern);
  } catch {
    return `${JSON.stringify(pattern)} is not a regular expression`;
  }
  if (!/^(?:\^|\/\/)/.test(pattern)) return `${JSON.stringify(pattern)} must begin with ^ or //`;
  if (!/(?:\$|:)$/.test(pattern)) return `${JSON.stringify(pattern)} must end with $ or :`;
  return undefined;
}

/** Compiles patterns of origins. Throws `RangeError` for an invalid one. */
export function corsOrigins(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern) => {
    const problem = corsOriginError(pattern);
    if (problem !== undefined) throw new RangeError(`--cors-allowed-origins: ${problem}`);
    return new RegExp(pattern);
  });
}

/** A browser's origin is a scheme, a host name and a port. */
const longestOrigin = 512;

/** Reports whether the header `Origin` of a request matches one of the patterns. */
export function isAllowedOrigin(origins: readonly RegExp[], origin: string): boolean {
  return origin.length <= longestOrigin && origins.some((pattern) => pattern.test(origin));
}
