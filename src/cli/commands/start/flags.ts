import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, checked, choice, integer, list, text } from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import { isTarget } from '../../../nodes/agent-server/ports/parse-ports.ts';
import { section } from '../../shared-flags.ts';
import { usualFolder } from '../../up/planes.ts';

/** More nodes are of no use on one machine. */
const nodeLimit = 10_000;

/** The choice of a control plane on this machine. */
export const planeFlags = {
  name: {
    type: text('name'),
    default: undefined,
    section,
    help: 'name of a control plane, whose data is below ~/.cl/planes; without it --data-dir counts',
  },
  dataDir: {
    flag: 'data-dir',
    type: text('folder'),
    default: usualFolder,
    section,
    help: 'folder of data, certificates and logs',
  },
} satisfies FlagTable;

/** Flags of `cl up`. */
export const upFlags = {
  ...planeFlags,
  config: {
    type: text('file'),
    default: undefined,
    section,
    help: 'YAML file with flags by their names; those of the command line win',
  },
  detach: {
    type: boolean,
    short: 'd',
    default: false,
    section,
    help: 'return when all is ready; "cl up down" stops it',
  },
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    section,
    help: `names of API groups, well-known labels and system objects: ${identifierSets.join(' or ')}`,
  },
  etcd: {
    type: text('binary'),
    default: undefined,
    section,
    help: 'etcd binary; default: from the PATH, else a cached or downloaded one',
  },
  store: {
    type: choice('kind', ['etcd', 'memory']),
    default: 'etcd',
    section,
    help: 'where objects are stored: etcd, or memory, which is lost at the end',
  },
  from: {
    type: text('file'),
    default: undefined,
    section,
    help: 'file of "cl record" or "cl snapshot save": the objects with which a store without data begins',
  },
  securePort: {
    flag: 'secure-port',
    type: integer('port', 1, 65_535),
    default: 6443,
    section,
    help: 'port of the API server; if in use, the next free one',
  },
  nodes: {
    type: integer('count', 0, nodeLimit),
    default: 0,
    section,
    help: 'stand-in nodes, which are ready and run every pod by saying so',
  },
  nodeCapacity: {
    flag: 'node-capacity',
    type: list('resources'),
    default: [],
    section,
    help: 'resources of each of these nodes, like cpu=8,memory=32Gi; those that are left out are plenty',
  },
  nodeLabels: {
    flag: 'node-labels',
    type: list('labels'),
    default: [],
    section,
    help: 'their labels, like zone=a,disk=ssd',
  },
  nodeTaints: {
    flag: 'node-taints',
    type: list('taints'),
    default: [],
    section,
    help: 'their taints, like gpu=true:NoSchedule',
  },
  nodeStages: {
    flag: 'node-stages',
    type: list('files'),
    default: [],
    section,
    help: 'YAML or JSON files with stages of these nodes and their pods, beside those that the server has',
  },
  nodesFile: {
    flag: 'nodes-file',
    type: text('file'),
    default: undefined,
    section,
    help: 'YAML or JSON file with a list of groups of nodes: count, name, capacity, labels, taints, stages',
  },
  nodePortTargets: {
    flag: 'node-port-targets',
    type: checked(list('addresses'), (targets) => (targets.every(isTarget) ? undefined : 'use 127.0.0.1:3000')),
    default: [],
    section,
    help: 'addresses to which annotations of pods on stand-in nodes may forward ports, such as 127.0.0.1:3000',
  },
} satisfies FlagTable;

/** Flags of `cl version`. */
export const versionFlags = {
  output: { type: choice('format', ['json', 'yaml']), short: 'o', default: undefined, section, help: 'json or yaml' },
  client: { type: boolean, default: false, section, help: 'only the version of this program' },
} satisfies FlagTable;

/** `cl options` has no flags of its own. */
export const optionsFlags = {} satisfies FlagTable;

/** Flags of `cl up logs`. */
export const planeLogsFlags = {
  ...planeFlags,
  follow: { type: boolean, short: 'f', default: false, section, help: 'show new lines until interrupted' },
  tail: { type: integer('lines'), default: 20, section, help: 'how many of the last lines of each part' },
} satisfies FlagTable;

/** Flags of `cl up reset`. */
export const resetFlags = {
  ...planeFlags,
  yes: { type: boolean, short: 'y', default: false, section, help: 'delete without asking' },
} satisfies FlagTable;

/** `cl up list` has no flags of its own. */
export const planeListFlags = {} satisfies FlagTable;

/** Flags of `cl up kubeconfig`. */
export const planeConfigFlags = {
  ...planeFlags,
  merge: {
    type: boolean,
    default: false,
    section,
    help: 'add it to your client config instead of printing it',
  },
  use: { type: boolean, default: false, section, help: 'with --merge: switch to its context' },
  overwrite: {
    type: boolean,
    default: false,
    section,
    help: 'with --merge: replace entries of the same names that are of another server',
  },
} satisfies FlagTable;
