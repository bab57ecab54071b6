import type { FlagTable } from '../../../flags/flag-table.ts';
import { checked, choice, integer, list, text, toggle } from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import { isTarget } from '../../../nodes/agent-server/ports/parse-ports.ts';
import { usualFolder } from '../../up/known-planes.ts';

/** More nodes are of no use on one machine. */
const nodeLimit = 10_000;

/** The choice of a control plane on this machine. */
export const planeFlags = {
  name: {
    type: text('name'),
    help: 'name of a control plane, whose data is below ~/.cl/planes; without it --data-dir counts',
  },
  dataDir: { type: text('folder'), default: usualFolder, help: 'folder of data, certificates and logs' },
} satisfies FlagTable;

/** Flags of `cl up`. */
export const upFlags = {
  ...planeFlags,
  config: { type: text('file'), help: 'YAML file with flags by their names; those of the command line win' },
  detach: { type: toggle, short: 'd', help: 'return when all is ready; "cl up down" stops it' },
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    help: `names of API groups, well-known labels and system objects: ${identifierSets.join(' or ')}`,
  },
  etcd: { type: text('binary'), help: 'etcd binary; default: from the PATH, else a cached or downloaded one' },
  store: {
    type: choice('kind', ['etcd', 'memory']),
    default: 'etcd',
    help: 'where objects are stored: etcd, or memory, which is lost at the end',
  },
  from: {
    type: text('file'),
    help: 'file of "cl record" or "cl snapshot save": the objects with which a store without data begins',
  },
  securePort: {
    type: integer('port', 1, 65_535),
    default: 6443,
    help: 'port of the API server; if in use, the next free one',
  },
  nodes: {
    type: integer('count', 0, nodeLimit),
    default: 0,
    help: 'stand-in nodes, which are ready and run every pod by saying so',
  },
  nodeCapacity: {
    type: list('resources'),
    default: [],
    help: 'resources of each of these nodes, like cpu=8,memory=32Gi; those that are left out are plenty',
  },
  nodeLabels: { type: list('labels'), default: [], help: 'their labels, like zone=a,disk=ssd' },
  nodeTaints: { type: list('taints'), default: [], help: 'their taints, like gpu=true:NoSchedule' },
  nodeStages: {
    type: list('files'),
    default: [],
    help: 'YAML or JSON files with stages of these nodes and their pods, beside those that the server has',
  },
  nodesFile: {
    type: text('file'),
    help: 'YAML or JSON file with a list of groups of nodes: count, name, capacity, labels, taints, stages',
  },
  nodePortTargets: {
    type: checked(list('addresses'), (targets) => (targets.every(isTarget) ? undefined : 'use 127.0.0.1:3000')),
    default: [],
    help: 'addresses to which annotations of pods on stand-in nodes may forward ports, such as 127.0.0.1:3000',
  },
} satisfies FlagTable;

/** Flags of `cl version`. */
export const versionFlags = {
  output: { type: choice('format', ['json', 'yaml']), short: 'o', help: 'json or yaml' },
  client: { type: toggle, help: 'only the version of this program' },
} satisfies FlagTable;

/** `cl options` has no flags of its own. */
export const optionsFlags = {} satisfies FlagTable;

/** Flags of `cl up logs`. */
export const planeLogsFlags = {
  ...planeFlags,
  follow: { type: toggle, short: 'f', help: 'show new lines until interrupted' },
  tail: { type: integer('lines'), default: 20, help: 'how many of the last lines of each part' },
} satisfies FlagTable;

/** Flags of `cl up reset`. */
export const resetFlags = {
  ...planeFlags,
  yes: { type: toggle, short: 'y', help: 'delete without asking' },
} satisfies FlagTable;

/** `cl up list` has no flags of its own. */
export const planeListFlags = {} satisfies FlagTable;

/** Flags of `cl up kubeconfig`. */
export const planeConfigFlags = {
  ...planeFlags,
  merge: { type: toggle, help: 'add it to your client config instead of printing it' },
  use: { type: toggle, help: 'with --merge: switch to its context' },
  overwrite: { type: toggle, help: 'with --merge: replace entries of the same names that are of another server' },
} satisfies FlagTable;
