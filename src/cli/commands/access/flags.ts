import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, text } from '../../../flags/flag-types.ts';
import { allNamespaces, filename, printFlags, section } from '../../shared-flags.ts';

const subresource = { type: text('name'), default: undefined, section, help: 'sub-resource, such as log' } as const;

/** Flags of `cl auth can-i`. */
export const canIFlags = {
  subresource,
  allNamespaces: { ...allNamespaces, help: 'in all namespaces' },
  list: { type: boolean, default: false, section, help: 'print all that you may do in the namespace' },
  why: {
    type: boolean,
    default: false,
    section,
    help: 'print which rule allows it, or which one is missing; needs the right to read roles',
  },
  quiet: { type: boolean, short: 'q', default: false, section, help: 'only the exit code' },
} satisfies FlagTable;

/** Flags of `cl auth whoami`. */
export const whoamiFlags = { ...printFlags } satisfies FlagTable;

/** Flags of `cl auth who-can`. */
export const whoCanFlags = {
  subresource,
  allNamespaces: { ...allNamespaces, help: 'only those who may do it in all namespaces' },
} satisfies FlagTable;

/** Flags of `cl auth reconcile`. */
export const reconcileFlags = {
  filename,
  removeExtraPermissions: {
    flag: 'remove-extra-permissions',
    type: boolean,
    default: false,
    section,
    help: 'remove rules that the files do not have',
  },
  removeExtraSubjects: {
    flag: 'remove-extra-subjects',
    type: boolean,
    default: false,
    section,
    help: 'remove subjects that the files do not have',
  },
} satisfies FlagTable;

/** Flags of `cl certificate approve` and `deny`. */
export const decideFlags = {
  force: { type: boolean, default: false, section, help: 'decide again, with the present time' },
} satisfies FlagTable;
