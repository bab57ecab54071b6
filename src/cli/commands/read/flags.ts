import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice } from '../../../flags/flag-types.ts';
import { allNamespaces, section, selector } from '../../shared-flags.ts';

/** Flags of `cl get`. */
export const getFlags = {
  output: {
    type: choice('format', ['json', 'yaml', 'name']),
    short: 'o',
    default: undefined,
    section,
    help: 'format: json, yaml or name',
  },
  watch: { type: boolean, short: 'w', default: false, section, help: 'after the list, show changes until interrupted' },
  allNamespaces,
  selector,
} satisfies FlagTable;
