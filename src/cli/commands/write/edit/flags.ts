import type { FlagTable } from '../../../../flags/flag-table.ts';
import { text, toggle } from '../../../../flags/flag-types.ts';
import { editingFlags } from '../../../editing/editing-flags.ts';
import { printFlags } from '../../../shared-flags.ts';
import { fieldManager, fileFlags, validationFlags } from '../../../write-flags.ts';

/** `-o` of commands that open an editor. */
export const editedOutput = {
  ...printFlags.output,
  help: 'yaml, kyaml or json: the format in the editor, and of what is printed afterwards',
} as const;

/** Flags of `cl edit`. */
export const editFlags = {
  ...fileFlags,
  subresource: { type: text('name'), help: 'edit a sub-resource: status, scale' },
  ...printFlags,
  output: editedOutput,
  outputPatch: { type: toggle, help: 'print the patch that is sent' },
  ...validationFlags,
  ...editingFlags,
  fieldManager: fieldManager('cl-edit'),
} satisfies FlagTable;
