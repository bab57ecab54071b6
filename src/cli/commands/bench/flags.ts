import type { FlagTable } from '../../../flags/flag-table.ts';
import { choice, duration, integer } from '../../../flags/flag-types.ts';

/** Flags of `cl bench`. */
export const benchFlags = {
  for: { type: duration({ positive: true }), default: 2000, help: 'time of each kind of request' },
  clients: { type: integer('count', 1, 256), default: 8, help: 'requests at the same time' },
  size: { type: integer('bytes', 0, 1_000_000), default: 1000, help: 'size of the data of an object' },
  objects: { type: integer('count', 1, 100_000), default: 2000, help: 'the most objects that are created' },
  output: { type: choice('format', ['json']), short: 'o', help: 'json, for programs' },
} satisfies FlagTable;
