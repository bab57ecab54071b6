import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, integer, list, text, toggle } from '../../../flags/flag-types.ts';
import { allNamespaces, fieldSelector, filename, kustomize, printFlags, selector } from '../../shared-flags.ts';

/** Flags of `cl get`. */
export const getFlags = {
  ...printFlags,
  output: {
    ...printFlags.output,
    help: `wide, ${printFlags.output.help}, custom-columns=, custom-columns-file=`,
  },
  watch: { type: toggle, short: 'w', help: 'after the list, show changes until interrupted' },
  watchOnly: { type: toggle, help: 'show changes without the list' },
  outputWatchEvents: { type: toggle, help: 'with -w, show the type of each change' },
  allNamespaces,
  selector,
  fieldSelector,
  filename,
  kustomize,
  sortBy: { type: text('path'), help: 'sort by a field: .metadata.name' },
  showLabels: { type: toggle, help: 'add a column with all labels' },
  labelColumns: {
    type: list('label'),
    short: 'L',
    default: [] as readonly string[],
    help: 'add a column for each of these labels',
  },
  showKind: { type: toggle, help: 'show the type before names' },
  noHeaders: { type: toggle, help: 'leave out the headings' },
  ignoreNotFound: { type: toggle, help: 'what does not exist is no error' },
  chunkSize: { type: integer('objects'), default: 500, help: 'objects of a page of a list; 0 is one page' },
  atRevision: {
    type: integer('revision', 1),
    help: 'as it was at this revision of the store, if it still has that; "cl history" has those of an object',
  },
  subresource: { type: text('name'), help: 'read a sub-resource: status, scale' },
  serverPrint: { type: boolean, default: true, help: 'use the columns of the server; else name and age' },
  recursive: { type: toggle, short: 'R', help: 'read the folders of -f with their sub-folders' },
  raw: { type: text('path'), help: 'print the answer to a GET of this path' },
} satisfies FlagTable;
