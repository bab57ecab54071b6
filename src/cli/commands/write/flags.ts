import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, text, toggle } from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import { editingFlags } from '../../editing/editing-flags.ts';
import { filename, selector } from '../../shared-flags.ts';
import { fieldManager, fileFlags, resultFlags, validationFlags } from '../../write-flags.ts';

/** Flags of `cl create`. */
export const createFlags = {
  ...fileFlags,
  selector,
  ...resultFlags,
  ...validationFlags,
  fieldManager: fieldManager('cl-create'),
  raw: { type: text('path'), help: 'send the file with POST to a path of the server' },
  edit: { type: toggle, help: 'open each object in your editor before it is created' },
  ...editingFlags,
} satisfies FlagTable;

/** Flags of `cl convert`. */
export const convertFlags = {
  filename,
  outputVersion: { type: text('version'), help: '<group>/<version>; default: the preferred one of each kind' },
  output: { type: choice('format', ['yaml', 'json']), short: 'o', default: 'yaml', help: 'yaml or json' },
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    help: 'names of API groups and well-known labels',
  },
  local: {
    type: boolean,
    default: true,
    help: 'convert without a server: the only mode, accepted because other clients have it',
  },
} satisfies FlagTable;
