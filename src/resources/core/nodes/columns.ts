import type { CellContext, Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { labelsOf } from '../../../meta/object-meta.ts';
import { isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text, wide } from '../../columns/column.ts';

/** The columns of nodes. */
export const columns: readonly Column[] = [
  name,
  text('Status', 'Readiness of the node, and whether pods are scheduled on it.', status),
  text('Roles', 'Roles of the node, from its labels.', roles),
  age,
  text('Version', 'Version of the node agent.', (object) =>
    stringAt(objectAt(object, 'status', 'nodeInfo'), 'kubeletVersion'),
  ),
  wide('Internal-IP', 'First address inside the cluster.', (object) => addressOf(object, 'InternalIP')),
  wide('External-IP', 'First address outside the cluster.', (object) => addressOf(object, 'ExternalIP')),
  wide('OS-Image', 'Operating system.', (object) => nodeInfo(object, 'osImage')),
  wide('Kernel-Version', 'Version of the kernel.', (object) => nodeInfo(object, 'kernelVersion')),
  wide('Container-Runtime', 'Container runtime and its version.', (object) =>
    nodeInfo(object, 'containerRuntimeVersion'),
  ),
];

function status(node: JsonObject): string {
  const conditions = objectsAt(objectAt(node, 'status'), 'conditions');
  // Of several conditions of a type the last one counts.
  const ready = conditions.findLast((condition) => stringAt(condition, 'type') === 'Ready');
  const readiness = ready ? readinessOf(ready) : 'Unknown';
  return isTrue(objectAt(node, 'spec'), 'unschedulable') ? `${readiness},SchedulingDisabled` : readiness;
}

function readinessOf(condition: JsonObject): string {
  return stringAt(condition, 'status') === 'True' ? 'Ready' : 'NotReady';
}

function roles(node: JsonObject, { identifiers: { labelDomain } }: CellContext): string {
  const prefix = `node-role.${labelDomain}/`;
  const found = Object.entries(labelsOf(node)).map(([key, value]) => {
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

function addressOf(node: JsonObject, type: string): string {
  const addresses = objectsAt(objectAt(node, 'status'), 'addresses');
  const found = addresses.find((address) => stringAt(address, 'type') === type);
  return orNone(found ? stringAt(found, 'address') : '');
}

function nodeInfo(node: JsonObject, field: string): string {
  return stringAt(objectAt(node, 'status', 'nodeInfo'), field) || '<unknown>';
}
