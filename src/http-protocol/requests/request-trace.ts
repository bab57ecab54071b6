import type { Trace } from '../../meta/trace.ts';

/** A step of a request. */
interface TracedStep {
  readonly name: string;
  readonly durationMs: number;
  readonly decision: string;
}

/**
 * A write that is repeated after conflicts has more steps; they are left out. Clients refuse
 * headers of more than 16 KiB in total.
 */
const mostChars = 8 * 1024;
const longestDecision = 200;

/**
 * The steps of a request that asks for its trace (`?trace=true`): time and decision of each filter,
 * admission plugin and webhook. They are sent in the header `Server-Timing` (W3C Server Timing).
 */
export class RequestTrace implements Trace {
  readonly #openedMs: number;
  readonly #entries: string[] = [];
  #chars = 0;
  #filteredMs: number;
  #note = '';
  readonly everyPlugin = true;
  /** True once the caller is known to be one who may see traces. */
  isAllowed = false;

  /** `openedMs` is the time at which the request arrived. */
  constructor(openedMs: number) {
    this.#openedMs = openedMs;
    this.#filteredMs = performance.now();
  }

  add(name: string, durationMs: number, decision: string): void {
    const entry = entryOf({ name, durationMs, decision });
    this.#chars += entry.length + 2;
    if (this.#chars <= mostChars) this.#entries.push(entry);
  }

  /** Describes the decision of the running filter. */
  note(text: string): void {
    this.#note = text;
  }

  /** Runs a filter and adds it as a step. Throws the errors of the filter. */
  filter(name: string, run: () => Promise<void> | void): Promise<void> | void {
    const startMs = performance.now();
    this.#note = '';
    try {
      const pending = run();
      if (!pending) return this.#passed(name, startMs);
      return pending.then(
        () => this.#passed(name, startMs),
        (error: unknown) => this.#refused(name, startMs, error),
      );
    } catch (error) {
      return this.#refused(name, startMs, error);
    }
  }

  /** The value of `Server-Timing`, with the time of the handler until now, and the total time. */
  header(): string {
    const nowMs = performance.now();
    const handler = { name: 'handler', durationMs: nowMs - this.#filteredMs, decision: '' };
    const total = { name: 'total', durationMs: nowMs - this.#openedMs, decision: '' };
    return [...this.#entries, entryOf(handler), entryOf(total)].join(', ');
  }

  #passed(name: string, startMs: number): void {
    this.#filteredMs = performance.now();
    const decision = this.#note === '' ? 'passed' : `passed: ${this.#note}`;
    this.add(`filter.${name}`, this.#filteredMs - startMs, decision);
  }

  #refused(name: string, startMs: number, error: unknown): never {
    this.#filteredMs = performance.now();
    const why = this.#note || (error instanceof Error ? error.message : 'failed');
    this.add(`filter.${name}`, this.#filteredMs - startMs, `refused: ${why}`);
    throw error;
  }
}

/** Names become tokens, and decisions quoted strings, of RFC 9110. */
function entryOf({ name, durationMs, decision }: TracedStep): string {
  const token = name.replace(/[^A-Za-z0-9.!#$%&'*+^_`|~-]/g, '_');
  const entry = `${token};dur=${durationMs.toFixed(3)}`;
  if (decision === '') return entry;
  const text = decision.slice(0, longestDecision).replace(/[^ -~]/g, '?');
  return `${entry};desc="${text.replace(/["\\]/g, '\\$&')}"`;
}
