import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/check.ts';
import { isCidr } from '../../rules/ip.ts';
import { needsHealthPort, needsNodePort } from './held-items.ts';

/** What only some types of Service have, and others may not ask for. */
export function checkTypeFields(spec: JsonObject): FieldError[] {
  return [
    ...nodePortErrors(spec),
    ...balancerErrors(spec),
    ...trafficErrors(spec),
    ...checkEach('spec.ports', objectsAt(spec, 'ports'), (port, path) => {
      const protocol = stringAt(port, 'appProtocol');
      return protocol === '' ? [] : checkString(`${path}.appProtocol`, protocol, validateQualifiedName);
    }),
  ];
}

function nodePortErrors(spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.ports', objectsAt(spec, 'ports'), (port, path) => {
    const nodePort = numberAt(port, 'nodePort') ?? 0;
    if (nodePort === 0) return [];
    if (stringAt(spec, 'type') === 'ClusterIP') {
      return [forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")];
    }
    const identity = `${stringAt(port, 'protocol')}/${nodePort}`;
    if (seen.has(identity)) return [duplicate(`${path}.nodePort`, nodePort)];
    seen.add(identity);
    return [];
  });
}

function balancerErrors(spec: JsonObject): FieldError[] {
  const ranges = stringsAt(spec, 'loadBalancerSourceRanges');
  const unread = ranges.some((range) => !isCidr(range.trim()));
  // Spelled with a capital since these messages exist.
  const field = 'spec.LoadBalancerSourceRanges';
  const example = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24';
  const shown = `[${ranges.join(' ')}]`;
  const why = "may only be used when `type` is 'LoadBalancer'";
  const isBalancer = stringAt(spec, 'type') === 'LoadBalancer';
  const others = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'].filter((name) => isSet(spec, name));
  return [
    ...(ranges.length > 0 && !isBalancer ? [forbidden(field, why)] : []),
    ...(unread ? [invalid(field, shown, example)] : []),
    ...(isBalancer ? [] : others.map((name) => forbidden(`spec.${name}`, why))),
  ];
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const policy = stringAt(spec, 'externalTrafficPolicy');
  const healthPort = numberAt(spec, 'healthCheckNodePort') ?? 0;
  return [
    ...(['', 'Cluster', 'Local'].includes(policy)
      ? []
      : [invalid('spec.externalTrafficPolicy', policy, 'ExternalTrafficPolicy must be empty, Cluster or Local')]),
    ...(healthPort < 0
      ? [invalid('spec.healthCheckNodePort', healthPort, 'HealthCheckNodePort must be not less than 0')]
      : []),
    ...(policy !== '' && !needsNodePort(spec)
      ? [
          invalid(
            'spec.externalTrafficPolicy',
            policy,
            'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
          ),
        ]
      : []),
    ...(healthPort !== 0 && !needsHealthPort(spec)
      ? [
          invalid(
            'spec.healthCheckNodePort',
            healthPort,
            'HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
          ),
        ]
      : []),
  ];
}
