import type { FlagTable } from '../../flags/flag-table.ts';
import { toggle } from '../../flags/flag-types.ts';

/** Flags of commands that open an editor. */
export const editingFlags = {
  windowsLineEndings: { type: toggle, help: 'end the lines in the editor as Windows does' },
} satisfies FlagTable;
