import { serverTable, type ServerOptions } from './server-options.ts';

/** The values of the server's flags as texts, by name. Values of files are the paths. */
export function flagValues(options: ServerOptions): Readonly<Record<string, string>> {
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
