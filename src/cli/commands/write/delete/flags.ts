import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, choice, text, toggle } from '../../../../flags/flag-types.ts';
import { allNamespaces } from '../../../shared-flags.ts';
import { deletionFlags, resultFlags, selectionFlags } from '../../../write-flags.ts';

/** Flags of `cl delete`. */
export const deleteFlags = {
  ...selectionFlags,
  fieldSelector: { type: text('selector'), help: 'only objects with these fields: status.phase=Failed' },
  allNamespaces,
  ...deletionFlags,
  wait: { type: boolean, default: true, help: 'wait until the objects are gone, and say what holds them' },
  now: { type: toggle, help: 'end within a second' },
  ignoreNotFound: { type: toggle, help: 'a missing object is no error; so it is with --all' },
  interactive: { type: toggle, short: 'i', help: 'show the objects, and ask before' },
  raw: { type: text('path'), help: 'send DELETE to a path of the server' },
  dryRun: resultFlags.dryRun,
  output: { type: choice('format', ['name']), short: 'o', help: 'name' },
} satisfies FlagTable;
