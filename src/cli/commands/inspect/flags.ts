import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, integer } from '../../../flags/flag-types.ts';
import { allNamespaces, filename, section, selector } from '../../shared-flags.ts';

const chunkSize = {
  flag: 'chunk-size',
  type: integer('number'),
  default: 500,
  section,
  help: 'objects of one response of a list; 0 is all',
} as const;

/** Flags of `cl describe`. */
export const describeFlags = {
  filename,
  selector,
  allNamespaces,
  showEvents: {
    flag: 'show-events',
    type: boolean,
    default: true,
    section,
    help: 'show the Events about each object',
  },
  chunkSize,
} satisfies FlagTable;

/** Flags of `cl tree`. */
export const treeFlags = {} satisfies FlagTable;

/** Flags of `cl why`. */
export const whyFlags = {} satisfies FlagTable;
