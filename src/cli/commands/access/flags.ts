import type { FlagTable } from '../../../flags/flag-table.ts';
import { duration, list, text, toggle } from '../../../flags/flag-types.ts';
import { fileFlags, resultFlags } from '../../write-flags.ts';
import { allNamespaces, printFlags } from '../../shared-flags.ts';

const subresource = { type: text('name'), help: 'sub-resource, such as log' } as const;

/** Flags of `cl auth can-i`. */
export const canIFlags = {
  subresource,
  allNamespaces: { ...allNamespaces, help: 'in all namespaces' },
  list: { type: toggle, help: 'print all that you may do in the namespace' },
  noHeaders: { type: toggle, help: 'with --list: leave out the headings' },
  why: { type: toggle, help: 'print which rule allows it, or which one is missing; needs the right to read roles' },
  quiet: { type: toggle, short: 'q', help: 'only the exit code' },
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
  ...fileFlags,
  ...resultFlags,
  removeExtraPermissions: { type: toggle, help: 'remove rules that the files do not have' },
  removeExtraSubjects: { type: toggle, help: 'remove subjects that the files do not have' },
} satisfies FlagTable;

/** Flags of `cl certificate approve` and `deny`. */
export const decideFlags = {
  ...fileFlags,
  ...printFlags,
  force: { type: toggle, help: 'decide again, with the present time' },
} satisfies FlagTable;

/** Flags of commands with only the flags of all commands. */
export const plainFlags = {} satisfies FlagTable;

/** The default of `--ttl`. */
const dayMs = 86_400_000;

/** Flags of `cl bootstrap token create`. */
export const createTokenFlags = {
  ttl: { type: duration(), default: dayMs, help: 'time until it expires; 0 is never' },
  usages: { type: list('usage'), default: ['signing', 'authentication'], help: 'uses: signing, authentication' },
  groups: { type: list('group'), default: [], help: 'groups of its users, which begin with system:bootstrappers:' },
  description: { type: text('text'), help: 'a text for people' },
} satisfies FlagTable;
