import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, integer, list, text } from '../../../flags/flag-types.ts';
import {
  allNamespaces,
  fieldSelector,
  filename,
  kustomize,
  printFlags,
  section,
  selector,
} from '../../shared-flags.ts';

/** Flags of `cl get`. */
export const getFlags = {
  ...printFlags,
  output: {
    ...printFlags.output,
    help: `wide, ${printFlags.output.help}, custom-columns=, custom-columns-file=`,
  },
  watch: { type: boolean, short: 'w', default: false, section, help: 'after the list, show changes until interrupted' },
  watchOnly: { flag: 'watch-only', type: boolean, default: false, section, help: 'show changes without the list' },
  outputWatchEvents: {
    flag: 'output-watch-events',
    type: boolean,
    default: false,
    section,
    help: 'with -w, show the type of each change',
  },
  allNamespaces,
  selector,
  fieldSelector,
  filename,
  kustomize,
  sortBy: { flag: 'sort-by', type: text('path'), default: undefined, section, help: 'sort by a field: .metadata.name' },
  showLabels: { flag: 'show-labels', type: boolean, default: false, section, help: 'add a column with all labels' },
  labelColumns: {
    flag: 'label-columns',
    type: list('label'),
    short: 'L',
    default: [] as readonly string[],
    section,
    help: 'add a column for each of these labels',
  },
  showKind: { flag: 'show-kind', type: boolean, default: false, section, help: 'show the type before names' },
  noHeaders: { flag: 'no-headers', type: boolean, default: false, section, help: 'leave out the headings' },
  ignoreNotFound: {
    flag: 'ignore-not-found',
    type: boolean,
    default: false,
    section,
    help: 'what does not exist is no error',
  },
  chunkSize: {
    flag: 'chunk-size',
    type: integer('objects'),
    default: 500,
    section,
    help: 'objects of a page of a list; 0 is one page',
  },
  atRevision: {
    flag: 'at-revision',
    type: integer('revision', 1),
    default: undefined,
    section,
    help: 'as it was at this revision of the store, if it still has that; "cl history" has those of an object',
  },
  subresource: { type: text('name'), default: undefined, section, help: 'read a sub-resource: status, scale' },
  serverPrint: {
    flag: 'server-print',
    type: boolean,
    default: true,
    section,
    help: 'use the columns of the server; else name and age',
  },
  recursive: {
    type: boolean,
    short: 'R',
    default: false,
    section,
    help: 'read the folders of -f with their sub-folders',
  },
  raw: { type: text('path'), default: undefined, section, help: 'print the answer to a GET of this path' },
} satisfies FlagTable;
