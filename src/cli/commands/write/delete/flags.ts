import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, choice, text } from '../../../../flags/flag-types.ts';
import { allNamespaces, section } from '../../../shared-flags.ts';
import { deletionFlags, resultFlags, selectionFlags } from '../../../write-flags.ts';

/** Flags of `cl delete`. */
export const deleteFlags = {
  ...selectionFlags,
  fieldSelector: {
    flag: 'field-selector',
    type: text('selector'),
    default: undefined,
    section,
    help: 'only objects with these fields: status.phase=Failed',
  },
  allNamespaces,
  ...deletionFlags,
  wait: { type: boolean, default: true, section, help: 'wait until the objects are gone, and say what holds them' },
  now: { type: boolean, default: false, section, help: 'end within a second' },
  ignoreNotFound: {
    flag: 'ignore-not-found',
    type: boolean,
    default: false,
    section,
    help: 'a missing object is no error; so it is with --all',
  },
  interactive: { type: boolean, short: 'i', default: false, section, help: 'show the objects, and ask before' },
  raw: { type: text('path'), default: undefined, section, help: 'send DELETE to a path of the server' },
  dryRun: resultFlags.dryRun,
  output: { type: choice('format', ['name']), short: 'o', default: undefined, section, help: 'name' },
} satisfies FlagTable;
