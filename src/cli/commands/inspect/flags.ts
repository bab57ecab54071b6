import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, duration, integer, list, repeated, text } from '../../../flags/flag-types.ts';
import { allNamespaces, fieldSelector, printFlags, section, selector } from '../../shared-flags.ts';
import { fileFlags } from '../../write-flags.ts';

const chunkSize = {
  flag: 'chunk-size',
  type: integer('number'),
  default: 500,
  section,
  help: 'objects of one response of a list; 0 is all',
} as const;

/** Flags of `cl describe`. */
export const describeFlags = {
  ...fileFlags,
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

/** Flags of `cl cluster-info`. */
export const clusterInfoFlags = {} satisfies FlagTable;

/** Flags of `cl cluster-info dump`. */
export const clusterInfoDumpFlags = {
  ...printFlags,
  output: { ...printFlags.output, default: 'json' },
  outputDirectory: {
    flag: 'output-directory',
    type: text('folder'),
    default: undefined,
    section,
    help: 'folder for a file of each list; default: one text on standard output',
  },
  namespaces: {
    type: list('names'),
    default: [] as readonly string[],
    section,
    help: 'namespaces to write; default: that of the context, and that of the system',
  },
  allNamespaces,
  podRunningTimeout: {
    flag: 'pod-running-timeout',
    type: duration(),
    default: 0,
    section,
    help: 'accepted for scripts; logs are of pods as they are',
  },
} satisfies FlagTable;

const topFlags = {
  selector,
  noHeaders: { flag: 'no-headers', type: boolean, default: false, section, help: 'leave out the headings' },
  sortBy: {
    flag: 'sort-by',
    type: choice('resource', ['cpu', 'memory']),
    default: undefined,
    section,
    help: 'the greatest use first: cpu or memory',
  },
  showSwap: { flag: 'show-swap', type: boolean, default: false, section, help: 'show swap too' },
  useProtocolBuffers: {
    flag: 'use-protocol-buffers',
    type: boolean,
    default: true,
    section,
    help: 'accepted for scripts; responses are JSON',
  },
} satisfies FlagTable;

/** Flags of `cl top node`. */
export const topNodeFlags = {
  ...topFlags,
  showCapacity: {
    flag: 'show-capacity',
    type: boolean,
    default: false,
    section,
    help: 'percentages of the capacity instead of what pods may use',
  },
} satisfies FlagTable;

/** Flags of `cl top pod`. */
export const topPodFlags = {
  ...topFlags,
  fieldSelector,
  allNamespaces,
  containers: { type: boolean, default: false, section, help: 'a line for each container' },
  sum: { type: boolean, default: false, section, help: 'add a line with the sums' },
} satisfies FlagTable;

/** Flags of `cl diff`. */
export const diffFlags = {
  ...fileFlags,
  selector,
  fieldManager: {
    flag: 'field-manager',
    type: text('name'),
    default: 'cl',
    section,
    help: 'the owner of the fields that would be applied',
  },
  forceConflicts: {
    flag: 'force-conflicts',
    type: boolean,
    default: false,
    section,
    help: 'show the result of taking fields over from other managers',
  },
  serverSide: {
    flag: 'server-side',
    type: boolean,
    default: true,
    section,
    help: 'compare with what the server makes of the files, as cl apply does',
  },
  showManagedFields: {
    flag: 'show-managed-fields',
    type: boolean,
    default: false,
    section,
    help: 'compare metadata.managedFields too',
  },
  prune: {
    type: boolean,
    default: false,
    section,
    help: 'show what was applied before and is not in the files as removed',
  },
  pruneAllowlist: {
    flag: 'prune-allowlist',
    type: repeated(text('group/version/kind')),
    default: [] as readonly string[],
    section,
    help: 'with --prune: only these kinds, as in core/v1/ConfigMap; can be repeated',
  },
  revisions: {
    type: text('A..B'),
    default: undefined,
    section,
    help: 'instead of files: what changed between two revisions of the store; A.. is until now',
  },
  allNamespaces: { ...allNamespaces, help: 'with --revisions: objects of all namespaces' },
  concurrency: {
    type: integer('number', 1),
    default: 4,
    section,
    help: 'objects that are compared at a time',
  },
  showSecrets: {
    flag: 'show-secrets',
    type: boolean,
    default: false,
    section,
    help: 'show the values of Secrets',
  },
} satisfies FlagTable;
