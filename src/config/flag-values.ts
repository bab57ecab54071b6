import type { FlagValues } from '../flags/flag-table.ts';
import type { FlagType } from '../flags/flag-types.ts';
import { serverFlags, serverTable, type ServerOptions } from './server-options.ts';

/** The values of flags as strings, by name, in the form of kube-apiserver: lists in brackets. */
export function givenFlags(values: FlagValues<typeof serverFlags>): Readonly<Record<string, string>> {
  const texts = Object.entries(serverFlags).map(([name, { type }]) => {
    const value: unknown = values[name as keyof typeof values];
    // Each value was parsed by the type of its row.
    const text = value === undefined ? '' : (type as FlagType<unknown>).format(value);
    return [name, Array.isArray(value) && !unbracketed.has(name) ? `[${text}]` : text] as const;
  });
  return Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The flags whose values are maps, which have no brackets. */
const unbracketed: ReadonlySet<string> = new Set(['feature-gates', 'runtime-config']);

/**
 * The values of the server's flags as strings, by name: all flags of a program; for an embedded
 * server only those that are options. Flags that name files have their paths.
 */
export function flagValues(options: ServerOptions): Readonly<Record<string, string>> {
  if (options.flags) return options.flags;
  const given: Readonly<Record<string, unknown>> = { ...options };
  const rows = Object.entries(serverTable).flatMap(([key, row]) =>
    'flag' in row ? [[row.flag, textOf(given[key])] as const] : [],
  );
  return Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
