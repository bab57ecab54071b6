/** A step in a `Server-Timing` header (W3C Server Timing). */
export interface TimedStep {
  readonly name: string;
  readonly durationMs: number;
  /** '' if there is none. */
  readonly description: string;
}

const entry = /([A-Za-z0-9.!#$%&'*+^_`|~-]+);dur=([0-9.]+)(?:;desc="((?:[^"\\]|\\.)*)")?/g;

/** Reads the steps of `Server-Timing` headers. */
export function readServerTiming(header: string | readonly string[] | undefined): readonly TimedStep[] {
  const joined = typeof header === 'string' ? header : (header ?? []).join(', ');
  return [...joined.matchAll(entry)].map(([, name = '', duration = '', description = '']) => ({
    name,
    durationMs: Number(duration),
    description: description.replaceAll(/\\(.)/g, '$1'),
  }));
}
