import type { CellContext, Column } from '../../../codec/table.ts';
import type { Node } from '../../../gen/stored/core-v1.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text, wide } from '../../columns/column.ts';

/** The columns of nodes. */
export const columns: readonly Column<Node>[] = [
  name,
  text('Status', 'Readiness of the node, and whether pods are scheduled on it.', readiness),
  text('Roles', 'Roles of the node, from its labels.', roles),
  age,
  text('Version', 'Version of the node agent.', ({ status }) => status.nodeInfo.kubeletVersion),
  wide('Internal-IP', 'First address inside the cluster.', (node) => addressOf(node, 'InternalIP')),
  wide('External-IP', 'First address outside the cluster.', (node) => addressOf(node, 'ExternalIP')),
  wide('OS-Image', 'Operating system.', ({ status }) => status.nodeInfo.osImage || unknown),
  wide('Kernel-Version', 'Version of the kernel.', ({ status }) => status.nodeInfo.kernelVersion || unknown),
  wide(
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
