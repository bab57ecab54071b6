import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../../gen/stored/networking-v1.ts';
import { validatePortName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/fields/field-checks.ts';
import { isCidr, isStrictSubnet } from '../../rules/fields/ip.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';

/** The strategy of network policies. */
export const strategy: Strategy<NetworkPolicy> = {
  generation: true,
  default: defaultPolicy,
  validate: validatePolicy,
};

/**
 * Fills in defaults: the policy type Ingress, also Egress if there are egress rules, and the
 * protocol TCP. Mutates.
 */
function defaultPolicy({ spec }: NetworkPolicy): void {
  const { ingress = [], egress = [] } = spec;
  spec.policyTypes ??= egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  for (const { ports = [] } of [...ingress, ...egress]) for (const port of ports) port.protocol ??= 'TCP';
}

function validatePolicy({ spec }: NetworkPolicy): FieldError[] {
  return [
    ...checkLabelSelector('spec.podSelector', spec.podSelector),
    ...checkEach('spec.ingress', spec.ingress ?? [], ({ ports = [], from = [] }, path) => [
      ...checkEach(`${path}.ports`, ports, portErrors),
      ...checkEach(`${path}.from`, from, peerErrors),
    ]),
    ...checkEach('spec.egress', spec.egress ?? [], ({ ports = [], to = [] }, path) => [
      ...checkEach(`${path}.ports`, ports, portErrors),
      ...checkEach(`${path}.to`, to, peerErrors),
    ]),
    ...typeErrors(spec.policyTypes ?? []),
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

function portErrors({ port: value, endPort: end }: NetworkPolicyPort, path: string): FieldError[] {
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

function peerErrors({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: string): FieldError[] {
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  if (!hasSelector && !ipBlock) return [required(path, 'must specify a peer')];
  return [
    ...checkLabelSelector(`${path}.podSelector`, podSelector ?? {}),
    ...checkLabelSelector(`${path}.namespaceSelector`, namespaceSelector ?? {}),
    ...(ipBlock ? blockErrors(ipBlock, `${path}.ipBlock`) : []),
    ...(ipBlock && hasSelector ? [forbidden(path, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function blockErrors({ cidr, except: excepted = [] }: IPBlock, path: string): FieldError[] {
  return [
    ...(cidr === ''
      ? [required(`${path}.cidr`)]
      : isCidr(cidr)
        ? []
        : [invalid(`${path}.cidr`, cidr, 'not a valid CIDR')]),
    ...checkEach(`${path}.except`, isCidr(cidr) ? excepted : [], (except, at) => {
      if (!isCidr(except)) return [invalid(at, except, 'not a valid CIDR')];
      return isStrictSubnet(except, cidr) ? [] : [invalid(at, except, 'must be a strict subset of `cidr`')];
    }),
  ];
}
