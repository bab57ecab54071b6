import type { Node } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateNode, validateNodeUpdate } from './validate.ts';
import type { CellContext, Column } from '../../../codec/table-definition.ts';
import { orNone, ageColumn, nameColumn, textColumn, wideColumn } from '../../columns/column.ts';

/** The columns of nodes. */
const columns: readonly Column<Node>[] = [
  nameColumn,
  textColumn('Status', 'Readiness of the node, and whether pods are scheduled on it.', readiness),
  textColumn('Roles', 'Roles of the node, from its labels.', roles),
  ageColumn,
  textColumn('Version', 'Version of the node agent.', ({ status }) => status.nodeInfo.kubeletVersion),
  wideColumn('Internal-IP', 'First address inside the cluster.', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', 'First address outside the cluster.', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', 'Operating system.', ({ status }) => status.nodeInfo.osImage || unknown),
  wideColumn('Kernel-Version', 'Version of the kernel.', ({ status }) => status.nodeInfo.kernelVersion || unknown),
  wideColumn(
    'Container-Runtime',
    'Container runtime and its version.',
    ({ status }) => status.nodeInfo.containerRuntimeVersion || unknown,
  ),
];

const unknown = '<unknown>';

function readiness({ spec, status }: Node): string {
  // Of several conditions of a type the last one counts.
  const ready = status.conditions?.findLast(({ type }) => type === 'Ready');
  const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec.unschedulable ? `${state},SchedulingDisabled` : state;
}

function roles({ metadata }: Node, { identifiers: { labelDomain } }: CellContext): string {
  const prefix = `node-role.${labelDomain}/`;
  const found = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(prefix)) return key.slice(prefix.length);
    return key === `${labelDomain}/role` ? value : '';
  });
  return orNone(
    [...new Set(found)]
      .filter((role) => role !== '')
      .toSorted()
      .join(','),
  );
}

function addressOf({ status }: Node, type: string): string {
  return orNone(status.addresses?.find((address) => address.type === type)?.address);
}

/**
 * Removes the `configSource` of a node, which has no effect any more, unless the old node has one.
 */
function dropConfig(node: Node, old: Node | undefined, { release }: EmulatedRelease): void {
  if (!isSince(release, '1.27') || old?.spec.configSource) return;
  delete node.spec.configSource;
  if (!old) delete node.status.config;
}

/** The strategy of nodes. */
const strategy: Strategy<Node> = {
  default: defaultNode,
  prepareForCreate: (node, { emulated }) => dropConfig(node, undefined, emulated),
  prepareForUpdate: (node, old, { emulated }) => dropConfig(node, old, emulated),
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  statusOnCreate: true,
  generation: false,
  selectableFields: ['spec.unschedulable'],
  subresources: { status: { default: defaultStatus, validateUpdate: validateNodeUpdate } },
  fieldsOf: ({ spec }) => ({ 'spec.unschedulable': String(spec.unschedulable ?? false) }),
};

/**
 * Keeps `podCIDR` equal to the first of `podCIDRs`, and fills in defaults of the status. Mutates.
 */
function defaultNode(node: Node): void {
  const { spec } = node;
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR && first !== undefined) spec.podCIDR = first;
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  defaultStatus(node);
}

/** Fills in `allocatable` from `capacity`. Mutates. */
function defaultStatus({ status }: Node): void {
  if (status.capacity) status.allocatable ??= structuredClone(status.capacity);
}

/** The resource `nodes` of the core group. */
export const nodes = builtIn<Node>({
  group: '',
  resource: 'nodes',
  kind: 'Node',
  versions: { v1: {} },
  shortNames: ['no'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
