import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, invalidShown } from '../../../status/field-error.ts';
import { goStructList, goStructs } from '../../../status/go-syntax.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { isCidr } from '../../rules/fields/ip.ts';
import { needsHealthPort, needsNodePort } from './held-items.ts';

/** Checks fields that only some types of Service may have. */
export function checkTypeFields(service: JsonObject, { labelDomain }: Identifiers): FieldError[] {
  const spec = objectAt(service, 'spec');
  return [
    ...nodePortErrors(spec),
    ...rangeErrors(service, `service.beta.${labelDomain}/load-balancer-source-ranges`),
    ...balancerErrors(spec),
    ...trafficErrors(spec),
    ...checkEach('spec.ports', objectsAt(spec, 'ports'), (port, path) =>
      isSet(port, 'appProtocol')
        ? checkString(`${path}.appProtocol`, stringAt(port, 'appProtocol'), validateQualifiedName)
        : [],
    ),
  ];
}

function nodePortErrors(spec: JsonObject): readonly FieldError[] {
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

/**
 * Refuses a load balancer with several protocols, which few clouds support. A Service that had
 * several protocols before, of any type, may keep them.
 */
export function checkMixedProtocols(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!isBalancer(spec) || !isMixed(spec) || (old && isMixed(objectAt(old, 'spec')))) return noErrors;
  const shown = goStructList(goStructs.servicePort, objectsAt(spec, 'ports'));
  return [invalidShown('spec.ports', shown, "may not contain more than 1 protocol when type is 'LoadBalancer'")];
}

function isMixed(spec: JsonObject): boolean {
  return new Set(objectsAt(spec, 'ports').map((port) => stringAt(port, 'protocol'))).size > 1;
}

/**
 * Checks the source ranges of a load balancer, from the field or, if that is empty, from the older
 * annotation.
 */
function rangeErrors(service: JsonObject, annotation: string): FieldError[] {
  const spec = objectAt(service, 'spec');
  const annotations = objectAt(service, 'metadata', 'annotations');
  const ranges = stringsAt(spec, 'loadBalancerSourceRanges');
  if (ranges.length === 0 && !isSet(annotations, annotation)) return [];
  const old = stringAt(annotations, annotation);
  // The capital letter is that of kube-apiserver.
  const [field, shown, given] =
    ranges.length > 0
      ? ['spec.LoadBalancerSourceRanges', `[${ranges.join(' ')}]`, ranges]
      : [`metadata.annotations[${annotation}]`, old, old.trim() === '' ? [] : old.trim().split(',')];
  return [
    ...(isBalancer(spec) ? [] : [forbidden(field, balancersOnly)]),
    ...(given.every((range) => isCidr(range.trim())) ? [] : [invalid(field, shown, rangeExample)]),
  ];
}

const balancersOnly = "may only be used when `type` is 'LoadBalancer'";
const rangeExample = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';

function isBalancer(spec: JsonObject): boolean {
  return stringAt(spec, 'type') === 'LoadBalancer';
}

function balancerErrors(spec: JsonObject): FieldError[] {
  const fields = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'].filter((name) => isSet(spec, name));
  return isBalancer(spec) ? [] : fields.map((name) => forbidden(`spec.${name}`, balancersOnly));
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
