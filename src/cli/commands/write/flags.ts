import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, text } from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import { filename, section, selector, printFlags } from '../../shared-flags.ts';

/** Flags of `cl create`. */
export const createFlags = { filename, ...printFlags } satisfies FlagTable;

/** Flags of `cl apply`. */
export const applyFlags = {
  filename,
  fieldManager: {
    flag: 'field-manager',
    type: text('name'),
    default: 'cl',
    section,
    help: 'the owner of the applied fields',
  },
  forceConflicts: {
    flag: 'force-conflicts',
    type: boolean,
    default: false,
    section,
    help: 'take fields over from other managers',
  },
  dryRun: { flag: 'dry-run', type: boolean, default: false, section, help: 'show what would be written' },
  ...printFlags,
} satisfies FlagTable;

/** Flags of `cl delete`. */
export const deleteFlags = { filename, selector } satisfies FlagTable;

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
