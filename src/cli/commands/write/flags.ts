import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, text } from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import { editingFlags } from '../../editing/editing-flags.ts';
import { filename, section, selector } from '../../shared-flags.ts';
import { fieldManager, fileFlags, resultFlags, validationFlags } from '../../write-flags.ts';

/** Flags of `cl create`. */
export const createFlags = {
  ...fileFlags,
  selector,
  ...resultFlags,
  ...validationFlags,
  fieldManager: fieldManager('cl-create'),
  raw: { type: text('path'), default: undefined, section, help: 'send the file with POST to a path of the server' },
  edit: { type: boolean, default: false, section, help: 'open each object in your editor before it is created' },
  ...editingFlags,
} satisfies FlagTable;

/** Flags of `cl convert`. */
export const convertFlags = {
  filename,
  outputVersion: {
    flag: 'output-version',
    type: text('version'),
    default: undefined,
    section,
    help: '<group>/<version>; default: the preferred one of each kind',
  },
  output: { type: choice('format', ['yaml', 'json']), short: 'o', default: 'yaml', section, help: 'yaml or json' },
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    section,
    help: 'names of API groups and well-known labels',
  },
  local: {
    type: boolean,
    default: true,
    section,
    help: 'convert without a server: the only mode, accepted because other clients have it',
  },
} satisfies FlagTable;
