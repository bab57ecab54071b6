/** The longest warning that is sent whole once the total limit is near, in characters. */
const itemLimit = 256;
/** All warnings of a response together, in characters; clients and proxies refuse much larger header blocks. */
const totalLimit = 4096;

/** Collects the warnings of one request, each text once, within the limits above. */
export interface Warnings {
  add(text: string): void;
  /** Values for `Warning` headers (RFC 7234, 5.5). */
  headers(): string[];
}

/** Warnings of a new request. */
export function createWarnings(): Warnings {
  return new CollectedWarnings();
}

/** A class because every request has one: without closures, and without a set until the first warning. */
class CollectedWarnings implements Warnings {
  #texts: Set<string> | undefined;

  add(text: string): void {
    this.#texts ??= new Set();
    this.#texts.add(text);
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
    const cut = text.length > itemLimit ? `${text.slice(0, itemLimit - 3)}...` : text;
    if (sum + cut.length > totalLimit) break;
    kept.push(cut);
    sum += cut.length;
  }
  return kept;
}

/**
 * One header value. Control characters, which could end the header, become spaces; quotes and backslashes are escaped; the
 * rest goes out as UTF-8, which Node takes as one character a byte.
 */
function warningHeader(text: string): string {
  const safe = text.replace(/\p{Cc}/gu, ' ');
  const quoted = safe.replace(/["\\]/g, '\\$&');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
}
