/** If the warnings exceed the total limit, each one is cut to this number of characters. */
const itemLimit = 256;
/**
 * The total length of the warnings in a response, in characters, from which on no others follow.
 * Clients and proxies refuse much larger headers.
 */
const totalLimit = 4096;

/** Collects the distinct warnings of one request. `headers` applies the limits above. */
export interface Warnings {
  add(text: string): void;
  /** Returns the values of the `Warning` headers (RFC 7234, 5.5). */
  headers(): string[];
}

/** Creates the warnings of a new request. */
export function createWarnings(): Warnings {
  return new CollectedWarnings();
}

/** A class, because every request has one: no closures, and no set before the first warning. */
class CollectedWarnings implements Warnings {
  #texts: Set<string> | undefined;
  /** The number of characters of the texts, and of the texts after each is cut. */
  #total = 0;
  #cut = 0;

  add(text: string): void {
    // No others are shown; a webhook may send a million.
    if (text === '' || (this.#total > totalLimit && this.#cut >= totalLimit)) return;
    this.#texts ??= new Set();
    const { size } = this.#texts;
    if (this.#texts.add(text).size === size) return;
    this.#total += text.length;
    this.#cut += Math.min(text.length, itemLimit);
  }

  headers(): string[] {
    return this.#texts ? withinLimits([...this.#texts]).map(warningHeader) : [];
  }
}

function withinLimits(texts: readonly string[]): string[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= totalLimit) return [...texts];
  const kept: string[] = [];
  let sum = 0;
  for (const text of texts) {
    if (sum >= totalLimit) break;
    const cut = text.slice(0, itemLimit);
    kept.push(cut);
    sum += cut.length;
  }
  return kept;
}

/**
 * Formats a header value. Control characters, which could end the header, become spaces. Quotes and
 * backslashes are escaped. Other characters are sent as UTF-8; Node expects one character for each
 * byte.
 */
function warningHeader(text: string): string {
  const safe = text.replace(/\p{Cc}/gu, ' ');
  const quoted = safe.replace(/["\\]/g, '\\$&');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
}
