import type { FlagTable } from '../../flags/flag-table.ts';
import { type ServerOptions, serverTable } from '../../config/server-options.ts';

/**
 * The options of one of several processes that serve one port: its part of each limit of the whole
 * server (`leastPart`); 0 is no limit. Connections are counted where they are given to the
 * processes.
 */
export function shareLimits(options: ServerOptions, processes: number): ServerOptions {
  const table: FlagTable = serverTable;
  const parts = Object.entries(options).map(([name, limit]: [string, unknown]) => {
    const leastPart = Object.hasOwn(table, name) ? table[name]?.leastPart : undefined;
    if (leastPart === undefined || !limit) return [name, limit];
    return [name, Math.max(Math.ceil(Number(limit) / processes), leastPart)];
  });
  // Limits are numbers still.
  return Object.fromEntries(parts) as ServerOptions;
}
