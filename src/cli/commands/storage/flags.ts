import type { FlagTable } from '../../../flags/flag-table.ts';
import { text } from '../../../flags/flag-types.ts';

/** Flags of `cl storage rewrite`. */
export const rewriteFlags = {
  resume: {
    type: text('version'),
    help: 'go on with an interrupted run: leave out objects written after the version that it named',
  },
} satisfies FlagTable;
