import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { isSet, isTrue, makeObjectAt, objectAt, setDefault, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateNode, validateNodeUpdate } from './validate.ts';

/** The strategy of nodes. */
export const strategy: Strategy = {
  default: defaultNode,
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  statusOnCreate: true,
  generation: false,
  selectableFields: ['spec.unschedulable'],
  subresources: { status: { default: defaultStatus, validateUpdate: validateNodeUpdate } },
  fieldsOf: (node) => ({ 'spec.unschedulable': String(isTrue(objectAt(node, 'spec'), 'unschedulable')) }),
};

/**
 * Keeps `podCIDR` equal to the first of `podCIDRs`, and fills in defaults of the status. Mutates.
 */
function defaultNode(node: JsonObject): void {
  const spec = makeObjectAt(node, 'spec');
  const [first] = stringsAt(spec, 'podCIDRs');
  const podCidr = stringAt(spec, 'podCIDR');
  if (podCidr !== '' && first === undefined) spec['podCIDRs'] = [podCidr];
  else if (podCidr !== '' && podCidr !== first) spec['podCIDRs'] = [podCidr];
  else if (podCidr === '' && first !== undefined) spec['podCIDR'] = first;
  defaultStatus(node);
}

/** Without `allocatable`, all of `capacity` is allocatable. Mutates. */
function defaultStatus(node: JsonObject): void {
  const status = makeObjectAt(node, 'status');
  if (isSet(status, 'capacity')) setDefault(status, 'allocatable', structuredClone(objectAt(status, 'capacity')));
}
