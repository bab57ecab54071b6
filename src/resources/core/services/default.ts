import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectsAt, setDefault, stringAt } from '../../../meta/read-field.ts';

/** Fills in the defaults of a Service that depend on other fields. Mutates. */
export function defaultService(service: JsonObject): void {
  const spec = makeObjectAt(service, 'spec');
  setDefault(spec, 'type', 'ClusterIP');
  setDefault(spec, 'sessionAffinity', 'None');
  for (const port of objectsAt(spec, 'ports')) defaultPort(port);
  for (const rule of rules) {
    if (rule.types.includes(stringAt(spec, 'type'))) setDefault(spec, rule.field, rule.value);
  }
  defaultAffinity(spec);
}

/** Default values of fields that only some types of Service have. */
const rules = [
  { types: ['NodePort', 'LoadBalancer'], field: 'externalTrafficPolicy', value: 'Cluster' },
  { types: ['ClusterIP', 'NodePort', 'LoadBalancer'], field: 'internalTrafficPolicy', value: 'Cluster' },
  { types: ['LoadBalancer'], field: 'allocateLoadBalancerNodePorts', value: true },
];

function defaultPort(port: JsonObject): void {
  setDefault(port, 'protocol', 'TCP');
  const target = port['targetPort'];
  const number = numberAt(port, 'port');
  if ((target === undefined || target === 0 || target === '') && number !== undefined) port['targetPort'] = number;
}

/** Default duration of session affinity, in seconds: three hours. */
const stickySeconds = 10_800;

function defaultAffinity(spec: JsonObject): void {
  if (stringAt(spec, 'sessionAffinity') !== 'ClientIP') {
    delete spec['sessionAffinityConfig'];
    return;
  }
  setDefault(makeObjectAt(makeObjectAt(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', stickySeconds);
}
