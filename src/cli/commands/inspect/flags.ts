import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, duration, integer, list, repeated, text, toggle } from '../../../flags/flag-types.ts';
import { allNamespaces, fieldSelector, printFlags, selector } from '../../shared-flags.ts';
import { fileFlags } from '../../write-flags.ts';

const chunkSize = {
  type: integer('number'),
  default: 500,
  help: 'objects of one response of a list; 0 is all',
} as const;

/** Flags of `cl describe`. */
export const describeFlags = {
  ...fileFlags,
  selector,
  allNamespaces,
  showEvents: { type: boolean, default: true, help: 'show the Events about each object' },
  chunkSize,
} satisfies FlagTable;

/** Flags of `cl tree`. */
export const treeFlags = {} satisfies FlagTable;

/** Flags of `cl why`. */
export const whyFlags = {} satisfies FlagTable;

/** Flags of `cl cluster-info`. */
export const clusterInfoFlags = {} satisfies FlagTable;

/** Flags of `cl cluster-info dump`. */
export const clusterInfoDumpFlags = {
  ...printFlags,
  output: { ...printFlags.output, default: 'json' },
  outputDirectory: {
    type: text('folder'),
    help: 'folder for a file of each list; default: one text on standard output',
  },
  namespaces: {
    type: list('names'),
    default: [] as readonly string[],
    help: 'namespaces to write; default: that of the context, and that of the system',
  },
  allNamespaces,
  podRunningTimeout: { type: duration(), default: 0, help: 'accepted for scripts; logs are of pods as they are' },
} satisfies FlagTable;

const topFlags = {
  selector,
  noHeaders: { type: toggle, help: 'leave out the headings' },
  sortBy: { type: choice('resource', ['cpu', 'memory']), help: 'the greatest use first: cpu or memory' },
  showSwap: { type: toggle, help: 'show swap too' },
  useProtocolBuffers: { type: boolean, default: true, help: 'accepted for scripts; responses are JSON' },
} satisfies FlagTable;

/** Flags of `cl top node`. */
export const topNodeFlags = {
  ...topFlags,
  showCapacity: { type: toggle, help: 'percentages of the capacity instead of what pods may use' },
} satisfies FlagTable;

/** Flags of `cl top pod`. */
export const topPodFlags = {
  ...topFlags,
  fieldSelector,
  allNamespaces,
  containers: { type: toggle, help: 'a line for each container' },
  sum: { type: toggle, help: 'add a line with the sums' },
} satisfies FlagTable;

/** Flags of `cl diff`. */
export const diffFlags = {
  ...fileFlags,
  selector,
  fieldManager: { type: text('name'), default: 'cl', help: 'the owner of the fields that would be applied' },
  forceConflicts: { type: toggle, help: 'show the result of taking fields over from other managers' },
  serverSide: {
    type: boolean,
    default: true,
    help: 'compare with what the server makes of the files, as cl apply does',
  },
  showManagedFields: { type: toggle, help: 'compare metadata.managedFields too' },
  prune: { type: toggle, help: 'show what was applied before and is not in the files as removed' },
  pruneAllowlist: {
    type: repeated(text('group/version/kind')),
    default: [] as readonly string[],
    help: 'with --prune: only these kinds, as in core/v1/ConfigMap; can be repeated',
  },
  revisions: {
    type: text('A..B'),
    help: 'instead of files: what changed between two revisions of the store; A.. is until now',
  },
  allNamespaces: { ...allNamespaces, help: 'with --revisions: objects of all namespaces' },
  concurrency: { type: integer('number', 1), default: 4, help: 'objects that are compared at a time' },
  showSecrets: { type: toggle, help: 'show the values of Secrets' },
} satisfies FlagTable;
