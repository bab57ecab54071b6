import type { FlagTable } from '../../../flags/flag-table.ts';
import { choice, integer } from '../../../flags/flag-types.ts';

/** Flags of `cl history`. */
export const historyFlags = {
  revision: { type: integer('revision', 1), help: 'print the object as it was then' },
  output: {
    type: choice('format', ['yaml', 'json']),
    short: 'o',
    default: 'yaml',
    help: 'format of the object of --revision: yaml or json',
  },
} satisfies FlagTable;
