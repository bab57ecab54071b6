import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validatePortName } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, setDefault, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/check.ts';
import { checkCidr } from '../../rules/ip.ts';
import { checkLabelSelector } from '../../rules/labels.ts';
import { checkPortNumber } from '../../rules/port.ts';

/** Network policies. */
export const definition: ResourceDefinition = {
  group: 'networking',
  resource: 'networkpolicies',
  strategy: { generation: true, default: defaultPolicy, validate: validatePolicy },
};

/** A policy is about incoming traffic, and about outgoing traffic where it has rules for it. Mutates. */
function defaultPolicy(policy: JsonObject): void {
  const spec = makeObjectAt(policy, 'spec');
  setDefault(spec, 'policyTypes', objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']);
  for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
    for (const port of objectsAt(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
  }
}

function validatePolicy(policy: JsonObject): FieldError[] {
  const spec = objectAt(policy, 'spec');
  return [
    ...checkLabelSelector('spec.podSelector', objectAt(spec, 'podSelector')),
    ...checkEach('spec.ingress', objectsAt(spec, 'ingress'), (rule, path) => ruleErrors(rule, path, 'from')),
    ...checkEach('spec.egress', objectsAt(spec, 'egress'), (rule, path) => ruleErrors(rule, path, 'to')),
  ];
}

function ruleErrors(rule: JsonObject, path: string, peers: string): FieldError[] {
  return [
    ...checkEach(`${path}.ports`, objectsAt(rule, 'ports'), portErrors),
    ...checkEach(`${path}.${peers}`, objectsAt(rule, peers), peerErrors),
  ];
}

function portErrors(port: JsonObject, path: string): FieldError[] {
  const value = getOwn(port, 'port');
  if (typeof value === 'number') return checkPortNumber(`${path}.port`, value);
  return typeof value === 'string' ? checkString(`${path}.port`, value, validatePortName) : [];
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
  return [
    ...checkCidr(`${path}.cidr`, stringAt(block, 'cidr')),
    ...checkEach(`${path}.except`, stringsAt(block, 'except'), (cidr, at) => checkCidr(at, cidr)),
  ];
}
