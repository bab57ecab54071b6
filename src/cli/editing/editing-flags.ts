import type { FlagTable } from '../../flags/flag-table.ts';
import { boolean } from '../../flags/flag-types.ts';
import { section } from '../shared-flags.ts';

/** Flags of commands that open an editor. */
export const editingFlags = {
  windowsLineEndings: {
    flag: 'windows-line-endings',
    type: boolean,
    default: false,
    section,
    help: 'end the lines in the editor as Windows does',
  },
} satisfies FlagTable;
