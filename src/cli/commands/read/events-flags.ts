import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, integer, list, text } from '../../../flags/flag-types.ts';
import { allNamespaces, printFlags, section } from '../../shared-flags.ts';

/** Flags of `cl events`. */
export const eventsFlags = {
  for: { type: text('type/name'), default: undefined, section, help: 'only events about this object' },
  types: {
    type: list('type'),
    default: [] as readonly string[],
    section,
    help: 'only events of these types: Normal, Warning',
  },
  watch: { type: boolean, short: 'w', default: false, section, help: 'after the list, show new events' },
  allNamespaces,
  noHeaders: { flag: 'no-headers', type: boolean, default: false, section, help: 'leave out the headings' },
  chunkSize: {
    flag: 'chunk-size',
    type: integer('events'),
    default: 500,
    section,
    help: 'events of a page of the list',
  },
  ...printFlags,
} satisfies FlagTable;
