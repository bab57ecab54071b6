import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean } from '../../../flags/flag-types.ts';
import { planeFlags } from '../start/flags.ts';
import { section } from '../../shared-flags.ts';

/** Flags of `cl doctor`. */
export const doctorFlags = {
  ...planeFlags,
  quiet: { type: boolean, short: 'q', default: false, section, help: 'only print what is wrong' },
} satisfies FlagTable;
