import type { FlagTable } from '../../../flags/flag-table.ts';
import { toggle } from '../../../flags/flag-types.ts';
import { planeFlags } from '../start/flags.ts';

/** Flags of `cl doctor`. */
export const doctorFlags = {
  ...planeFlags,
  quiet: { type: toggle, short: 'q', help: 'only print what is wrong' },
} satisfies FlagTable;
