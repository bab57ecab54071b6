import type { FlagTable } from '../../../flags/flag-table.ts';
import { choice, list, number, toggle } from '../../../flags/flag-types.ts';

/** Flags of `cl record`. */
export const recordFlags = {
  types: {
    type: list('types'),
    default: [],
    help: 'types that are recorded, such as pods,deployments.apps; default: all',
  },
  namespaces: {
    type: list('names'),
    default: [],
    help: 'namespaces whose objects are recorded; default: all, and the objects outside of any',
  },
  secrets: {
    type: choice('how', ['omit', 'hide', 'include']),
    default: 'omit',
    help: 'leave Secrets out, record them with hidden values, or as they are',
  },
  managedFields: { type: toggle, help: 'keep the owners of fields' },
  follow: { type: toggle, short: 'f', help: 'record changes too, until interrupted' },
} satisfies FlagTable;

/** Flags of `cl replay`. */
export const replayFlags = {
  speed: {
    type: number('factor'),
    default: 0,
    help: '1 is the recorded pace, 10 is ten times as fast; 0 writes all at once',
  },
} satisfies FlagTable;
