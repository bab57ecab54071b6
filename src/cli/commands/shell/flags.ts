import type { FlagTable } from '../../../flags/flag-table.ts';
import { toggle } from '../../../flags/flag-types.ts';

/** Flags of `cl help`. */
export const helpFlags = {} satisfies FlagTable;

/** Flags of `cl completion`. */
export const completionFlags = {} satisfies FlagTable;

/** Flags of `cl plugin list`. */
export const pluginListFlags = {
  nameOnly: { type: toggle, help: 'names in place of paths' },
} satisfies FlagTable;
