import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, choice, list, text, toggle } from '../../../../flags/flag-types.ts';
import { editingFlags } from '../../../editing/editing-flags.ts';
import { printFlags, selector } from '../../../shared-flags.ts';
import { editedOutput } from '../edit/flags.ts';
import { deletionFlags, fieldManager, fileFlags, resultFlags, validationFlags } from '../../../write-flags.ts';

/** Flags of `cl apply`. */
export const applyFlags = {
  ...fileFlags,
  selector,
  serverSide: {
    type: boolean,
    default: true,
    help: 'apply in the server, as is always done; objects are then reported as serverside-applied',
  },
  fieldManager: fieldManager('cl'),
  forceConflicts: { type: toggle, help: 'take fields over from other managers' },
  prune: {
    type: toggle,
    help: 'delete what was applied before and is not in the files: with -l, --all or --applyset',
  },
  pruneAllowlist: {
    type: list('group/version/Kind'),
    default: [],
    help: 'the kinds that are pruned, instead of the usual ones; can be repeated',
  },
  all: { type: toggle, help: 'with --prune: objects with any labels' },
  applyset: {
    type: text('[resource/]name'),
    help: 'with --prune: the object that records what belongs together; a Secret unless another type is given',
  },
  ...resultFlags,
  ...validationFlags,
  ...deletionFlags,
  overwrite: {
    type: boolean,
    default: true,
    help: 'accepted because other clients have it; conflicts are found by the server',
  },
  openapiPatch: {
    type: boolean,
    default: true,
    help: 'accepted because other clients have it; the server knows the schemas',
  },
  subresource: { type: text('name'), help: 'apply to a sub-resource: status, scale' },
} satisfies FlagTable;

/** Flags of `cl apply view-last-applied`. */
export const viewLastAppliedFlags = {
  ...fileFlags,
  selector,
  all: { type: toggle, help: 'all objects of the type in the namespace' },
  fieldManager: fieldManager('cl'),
  output: { type: choice('format', ['yaml', 'json']), short: 'o', default: 'yaml', help: 'yaml or json' },
} satisfies FlagTable;

/** Flags of `cl apply set-last-applied`. */
export const setLastAppliedFlags = {
  ...fileFlags,
  createAnnotation: { type: toggle, help: 'also on objects that have no such annotation yet' },
  ...resultFlags,
} satisfies FlagTable;

/** Flags of `cl apply edit-last-applied`. */
export const editLastAppliedFlags = {
  ...fileFlags,
  ...printFlags,
  output: editedOutput,
  ...validationFlags,
  ...editingFlags,
  fieldManager: fieldManager('cl'),
} satisfies FlagTable;
