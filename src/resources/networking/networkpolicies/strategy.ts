import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validatePortName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import {
  isSet,
  makeObjectAt,
  numberAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
  stringsAt,
} from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { isCidr, isStrictSubnet } from '../../rules/fields/ip.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';

/** The strategy of network policies. */
export const strategy: Strategy = {
  generation: true,
  default: defaultPolicy,
  validate: validatePolicy,
};

/**
 * Fills in defaults: the policy type Ingress, also Egress if there are egress rules, and the
 * protocol TCP. Mutates.
 */
function defaultPolicy(policy: JsonObject): void {
  const spec = makeObjectAt(policy, 'spec');
  setDefault(spec, 'policyTypes', objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']);
  for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
    for (const port of objectsAt(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
  }
}

function validatePolicy(policy: JsonObject): FieldError[] {
  const spec = objectAt(policy, 'spec');
  const types = stringsAt(spec, 'policyTypes');
  return [
    ...checkLabelSelector('spec.podSelector', objectAt(spec, 'podSelector')),
    ...checkEach('spec.ingress', objectsAt(spec, 'ingress'), (rule, path) => ruleErrors(rule, path, 'from')),
    ...checkEach('spec.egress', objectsAt(spec, 'egress'), (rule, path) => ruleErrors(rule, path, 'to')),
    ...typeErrors(types),
  ];
}

const policyTypes = ['Ingress', 'Egress'];

function typeErrors(types: readonly string[]): readonly FieldError[] {
  const field = 'spec.policyTypes';
  if (types.length > policyTypes.length) return [invalid(field, types, 'may not specify more than two policyTypes')];
  return checkEach(field, types, (type, path) =>
    policyTypes.includes(type) ? [] : [notSupported(path, type, policyTypes)],
  );
}

function ruleErrors(rule: JsonObject, path: string, peers: string): FieldError[] {
  return [
    ...checkEach(`${path}.ports`, objectsAt(rule, 'ports'), portErrors),
    ...checkEach(`${path}.${peers}`, objectsAt(rule, peers), peerErrors),
  ];
}

function portErrors(port: JsonObject, path: string): FieldError[] {
  const value = getOwn(port, 'port');
  const end = numberAt(port, 'endPort');
  if (typeof value === 'number') {
    return [
      ...checkPortNumber(`${path}.port`, value),
      ...(end === undefined ? [] : checkPortNumber(`${path}.endPort`, end)),
      ...(end !== undefined && end < value
        ? [invalid(`${path}.endPort`, end, 'must be greater than or equal to `port`')]
        : []),
    ];
  }
  const endless =
    value === undefined
      ? 'may not be specified when `port` is not specified'
      : 'may not be specified when `port` is non-numeric';
  return [
    ...(typeof value === 'string' ? checkString(`${path}.port`, value, validatePortName) : []),
    ...(end === undefined ? [] : [invalid(`${path}.endPort`, end, endless)]),
  ];
}

function peerErrors(peer: JsonObject, path: string): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => isSet(peer, name));
  const block = objectAt(peer, 'ipBlock');
  if (selectors.length === 0 && !isSet(peer, 'ipBlock')) return [required(path, 'must specify a peer')];
  return [
    ...selectors.flatMap((name) => checkLabelSelector(`${path}.${name}`, objectAt(peer, name))),
    ...(isSet(peer, 'ipBlock') ? blockErrors(block, `${path}.ipBlock`) : []),
    ...(isSet(peer, 'ipBlock') && selectors.length > 0
      ? [forbidden(path, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function blockErrors(block: JsonObject, path: string): FieldError[] {
  const cidr = stringAt(block, 'cidr');
  return [
    ...(cidr === ''
      ? [required(`${path}.cidr`)]
      : isCidr(cidr)
        ? []
        : [invalid(`${path}.cidr`, cidr, 'not a valid CIDR')]),
    ...checkEach(`${path}.except`, isCidr(cidr) ? stringsAt(block, 'except') : [], (except, at) => {
      if (!isCidr(except)) return [invalid(at, except, 'not a valid CIDR')];
      return isStrictSubnet(except, cidr) ? [] : [invalid(at, except, 'must be a strict subset of `cidr`')];
    }),
  ];
}
