import type { FlagTable } from '../../../flags/flag-table.ts';
import { integer, list, text, toggle } from '../../../flags/flag-types.ts';
import { allNamespaces, printFlags } from '../../shared-flags.ts';

/** Flags of `cl events`. */
export const eventsFlags = {
  for: { type: text('type/name'), help: 'only events about this object' },
  types: { type: list('type'), default: [] as readonly string[], help: 'only events of these types: Normal, Warning' },
  watch: { type: toggle, short: 'w', help: 'after the list, show new events' },
  allNamespaces,
  noHeaders: { type: toggle, help: 'leave out the headings' },
  chunkSize: { type: integer('events'), default: 500, help: 'events of a page of the list' },
  ...printFlags,
} satisfies FlagTable;
