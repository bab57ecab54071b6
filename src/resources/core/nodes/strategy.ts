import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { duplicate, type FieldError, forbidden } from '../../../status/field-error.ts';
import {
  isSet,
  isTrue,
  makeObjectAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
  stringsAt,
} from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/check.ts';
import { checkCidr } from '../../rules/ip.ts';

/** Nodes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'nodes',
  strategy: {
    default: defaultNode,
    validate: validateNode,
    validateUpdate: checkFixedFields,
    statusOnCreate: true,
    generation: false,
    selectableFields: ['spec.unschedulable'],
    fieldsOf: (node) => ({ 'spec.unschedulable': String(isTrue(objectAt(node, 'spec'), 'unschedulable')) }),
  },
};

/** `podCIDR` is the first of `podCIDRs`; what nobody reserves can be allocated. */
function defaultNode(node: JsonObject): void {
  const spec = makeObjectAt(node, 'spec');
  const [first] = stringsAt(spec, 'podCIDRs');
  const podCidr = stringAt(spec, 'podCIDR');
  if (podCidr !== '' && first === undefined) spec['podCIDRs'] = [podCidr];
  else if (podCidr === '' && first !== undefined) spec['podCIDR'] = first;
  const status = makeObjectAt(node, 'status');
  if (isSet(status, 'capacity')) setDefault(status, 'allocatable', structuredClone(objectAt(status, 'capacity')));
}

function validateNode(node: JsonObject): FieldError[] {
  const spec = objectAt(node, 'spec');
  return [
    ...checkEach('spec.podCIDRs', stringsAt(spec, 'podCIDRs'), (cidr, path) => checkCidr(path, cidr)),
    ...taintErrors(objectsAt(spec, 'taints')),
  ];
}

/** A key may stand once with each effect. */
function taintErrors(taints: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.taints', taints, (taint, path) => {
    const identity = `${stringAt(taint, 'key')}:${stringAt(taint, 'effect')}`;
    const errors = seen.has(identity) ? [duplicate(path, taint)] : [];
    seen.add(identity);
    return errors;
  });
}

/** What a node was given at first stays. */
const fixed = ['podCIDR', 'providerID'];

function checkFixedFields(node: JsonObject, old: JsonObject): FieldError[] {
  const [spec, oldSpec] = [objectAt(node, 'spec'), objectAt(old, 'spec')];
  return fixed
    .filter((name) => stringAt(oldSpec, name) !== '' && stringAt(spec, name) !== stringAt(oldSpec, name))
    .map((name) =>
      forbidden(`spec.${name}`, 'node updates may not change podCIDR or providerID except from "" to valid'),
    );
}
