/**
 * The decoded query parameters of a request. `get` returns the first value of a parameter, or null.
 */
export interface Query {
  get(name: string): string | null;
  getAll(name: string): string[];
}

/** The query of a request without parameters. */
export const noQuery: Query = Object.freeze({ get: () => null, getAll: () => [] });

/**
 * Parses the part of a URL after the `?`. Most queries contain no escapes; parsing them here costs
 * a quarter of URLSearchParams, which parses the others.
 */
export function parseQuery(text: string): Query {
  if (text === '') return noQuery;
  // The `&` keeps URLSearchParams from removing a second `?`, which belongs to the first name.
  return /[%+]/.test(text) ? new URLSearchParams(`&${text}`) : new PlainQuery(text);
}

/** A query without escapes. `#parts` contains names and values alternately, as they were sent. */
class PlainQuery implements Query {
  readonly #parts: string[] = [];

  constructor(text: string) {
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const sign = pair.indexOf('=');
      if (sign < 0) this.#parts.push(pair, '');
      else this.#parts.push(pair.slice(0, sign), pair.slice(sign + 1));
    }
  }

  get(name: string): string | null {
    for (let index = 0; index < this.#parts.length; index += 2) {
      if (this.#parts[index] === name) return this.#parts[index + 1] ?? '';
    }
    return null;
  }

  getAll(name: string): string[] {
    return this.#parts.filter((_, index) => index % 2 === 1 && this.#parts[index - 1] === name);
  }
}
