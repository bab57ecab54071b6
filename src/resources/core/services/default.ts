import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, makeObjectAt, numberAt, objectsAt, setDefault, stringAt, stringsAt } from '../../../meta/read-field.ts';

/** Defaults of a Service that depend on other fields. Mutates. */
export function defaultService(service: JsonObject): void {
  const spec = makeObjectAt(service, 'spec');
  setDefault(spec, 'type', 'ClusterIP');
  setDefault(spec, 'sessionAffinity', 'None');
  for (const port of objectsAt(spec, 'ports')) defaultPort(port);
  for (const rule of rules) {
    if (rule.types.includes(stringAt(spec, 'type'))) setDefault(spec, rule.field, rule.value);
  }
  defaultAffinity(spec);
  mirrorClusterIp(spec);
}

/** Fields that belong to some types of Service. */
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

/** How long a client stays with its pod: three hours. */
const stickySeconds = 10_800;

function defaultAffinity(spec: JsonObject): void {
  if (stringAt(spec, 'sessionAffinity') !== 'ClientIP') {
    delete spec['sessionAffinityConfig'];
    return;
  }
  setDefault(makeObjectAt(makeObjectAt(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', stickySeconds);
}

/** `clusterIP` is the first of `clusterIPs`; clients may write either. */
function mirrorClusterIp(spec: JsonObject): void {
  const clusterIp = stringAt(spec, 'clusterIP');
  const [first] = stringsAt(spec, 'clusterIPs');
  if (clusterIp !== '' && first === undefined) spec['clusterIPs'] = [clusterIp];
  else if (clusterIp === '' && first !== undefined && !isSet(spec, 'clusterIP')) spec['clusterIP'] = first;
}
