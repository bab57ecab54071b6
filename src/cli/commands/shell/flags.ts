import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean } from '../../../flags/flag-types.ts';
import { section } from '../../shared-flags.ts';

/** Flags of `cl help`. */
export const helpFlags = {} satisfies FlagTable;

/** Flags of `cl completion`. */
export const completionFlags = {} satisfies FlagTable;

/** Flags of `cl plugin list`. */
export const pluginListFlags = {
  nameOnly: { flag: 'name-only', type: boolean, default: false, section, help: 'names in place of paths' },
} satisfies FlagTable;
