import type { Node } from '../../../gen/stored/core-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateNode, validateNodeUpdate } from './validate.ts';

/** The strategy of nodes. */
export const strategy: Strategy<Node> = {
  default: defaultNode,
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

/** Without `allocatable`, all of `capacity` is allocatable. Mutates. */
function defaultStatus({ status }: Node): void {
  if (status.capacity) status.allocatable ??= structuredClone(status.capacity);
}
