import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, keepField, numberAt, objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { hasClusterIpType, needsClusterIp, needsHealthPort, needsNodePort } from './held-items.ts';

/**
 * Completes an update from the old object, so that clients may omit allocated fields. Omitted
 * fields keep their values. Fields that the new type of Service does not have are removed, unless
 * the client changed them. Mutates `service`.
 */
export function keepAllocated(service: JsonObject, old: JsonObject): void {
  const [spec, oldSpec] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  matchAddresses(spec, oldSpec);
  keepMissing(spec, oldSpec);
  for (const { has, fields } of typeFields) {
    if (!has(oldSpec) || has(spec)) continue;
    for (const field of fields) if (sameValue(spec[field], oldSpec[field])) delete spec[field];
  }
  if (needsNodePort(oldSpec) && !needsNodePort(spec)) dropNodePorts(spec, oldSpec);
}

/** Fields that only some types of Service have. */
const typeFields: readonly { readonly has: (spec: JsonObject) => boolean; readonly fields: readonly string[] }[] = [
  {
    has: hasClusterIpType,
    fields: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
  },
  { has: needsNodePort, fields: ['externalTrafficPolicy'] },
  { has: needsHealthPort, fields: ['healthCheckNodePort'] },
  { has: hasType('LoadBalancer'), fields: ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] },
  { has: hasType('ExternalName'), fields: ['externalName'] },
];

function hasType(type: string): (spec: JsonObject) => boolean {
  return (spec) => stringAt(spec, 'type') === type;
}

/** If the client changes `clusterIP` alone, `clusterIPs` follows. Mutates `spec`. */
function matchAddresses(spec: JsonObject, old: JsonObject): void {
  const address = stringAt(spec, 'clusterIP');
  if (address !== '' && address !== stringAt(old, 'clusterIP') && sameValue(spec['clusterIPs'], old['clusterIPs'])) {
    spec['clusterIPs'] = [address];
  }
}

function keepMissing(spec: JsonObject, old: JsonObject): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (stringAt(spec, 'clusterIP') === '') keepField(spec, old, 'clusterIP');
    if (!isSet(spec, 'clusterIPs') && sameValue(spec['clusterIP'], old['clusterIP']))
      keepField(spec, old, 'clusterIPs');
  }
  if (hasClusterIpType(old) && hasClusterIpType(spec)) {
    for (const field of ['ipFamilies', 'ipFamilyPolicy']) if (!isSet(spec, field)) keepField(spec, old, field);
  }
  if (needsNodePort(old) && needsNodePort(spec)) keepNodePorts(spec, old);
  if (needsHealthPort(old) && needsHealthPort(spec) && !numberAt(spec, 'healthCheckNodePort')) {
    keepField(spec, old, 'healthCheckNodePort');
  }
}

/**
 * A port without a node port keeps the old one, if a port with the same protocol and number had one
 * and no other port uses it. Mutates `spec`.
 */
function keepNodePorts(spec: JsonObject, old: JsonObject): void {
  const ports = objectsAt(spec, 'ports');
  const used = new Set(ports.map((port) => numberAt(port, 'nodePort')));
  const before = new Map(objectsAt(old, 'ports').map((port) => [identityOf(port), numberAt(port, 'nodePort')]));
  for (const port of ports) {
    const kept = before.get(identityOf(port));
    if (numberAt(port, 'nodePort') || !kept || used.has(kept)) continue;
    port['nodePort'] = kept;
    used.add(kept);
  }
}

function identityOf(port: JsonObject): string {
  return `${stringAt(port, 'protocol')}/${numberAt(port, 'port') ?? 0}`;
}

/**
 * Removes the node ports that a client has sent back unchanged. If it sets others, all are kept,
 * and validation refuses them. Mutates `spec`.
 */
function dropNodePorts(spec: JsonObject, old: JsonObject): void {
  const before = new Set(objectsAt(old, 'ports').map((port) => numberAt(port, 'nodePort')));
  const ports = objectsAt(spec, 'ports');
  if (!ports.every((port) => before.has(numberAt(port, 'nodePort')) || !numberAt(port, 'nodePort'))) return;
  for (const port of ports) delete port['nodePort'];
}
