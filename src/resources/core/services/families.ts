import type { Service, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { invalidObject } from '../../../status/status-error.ts';
import { hasClusterIpType, headless } from './held-items.ts';

/**
 * Sets `ipFamilies` and `ipFamilyPolicy` from the families of the cluster, the default family
 * first. An update with an unchanged policy adds no family. Mutates `service`; throws `StatusError`
 * for families that the cluster does not have.
 */
export function fillFamilies(service: Service, old: Service | undefined, cluster: readonly string[]): void {
  const { spec } = service;
  if (!hasClusterIpType(spec)) return;
  const bare = spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
  const policy = (spec.ipFamilyPolicy ??= bare || namesTwo(spec) ? 'RequireDualStack' : 'SingleStack');
  if (old && policy === 'SingleStack') dropSecond(spec, old.spec);
  const given = spec.ipFamilies ?? [];
  const families = given.length > 0 ? given : familiesOf(spec.clusterIPs ?? []);
  const [first = cluster[0] ?? 'IPv4'] = families;
  const other = first === 'IPv4' ? 'IPv6' : 'IPv4';
  if (bare) {
    if (families.length < 2) spec.ipFamilies = policy === 'SingleStack' ? [first] : [first, other];
    return;
  }
  checkFamilies(service, policy, cluster);
  const isKept = old !== undefined && old.spec.ipFamilyPolicy === policy && (old.spec.ipFamilies ?? []).length > 0;
  const wantsBoth = policy !== 'SingleStack' && cluster.length > 1 && !isKept;
  if (families.length < 2) spec.ipFamilies = wantsBoth ? [first, other] : [first];
  else if (given.length === 0) spec.ipFamilies = [...families];
}

function namesTwo({ clusterIPs = [], ipFamilies = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 2 || ipFamilies.length === 2;
}

function familiesOf(addresses: readonly string[]): readonly string[] {
  return addresses
    .filter((address) => address !== headless)
    .map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'));
}

/**
 * Removes the second address of a Service that becomes single-stack, unless the client changed it.
 */
function dropSecond(spec: ServiceSpec, old: ServiceSpec): void {
  if (old.ipFamilyPolicy === undefined || old.ipFamilyPolicy === 'SingleStack') return;
  const isSame = sameValue(spec.clusterIPs, old.clusterIPs) && sameValue(spec.ipFamilies, old.ipFamilies);
  if (!isSame) return;
  if (spec.clusterIPs) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

function checkFamilies(service: Service, policy: string, cluster: readonly string[]): void {
  const spec = new FieldCursor(service).at('spec');
  if (policy === 'RequireDualStack' && cluster.length < 2) {
    spec.at('ipFamilyPolicy').reportInvalid('this cluster is not configured for dual-stack services');
  }
  for (const one of spec.each('ipFamilies')) {
    if (!cluster.includes(one.value)) one.reportInvalid('not configured on this cluster');
  }
  if (policy === 'SingleStack' && namesTwo(service.spec)) {
    spec
      .at('ipFamilyPolicy')
      .reportInvalid('must be RequireDualStack or PreferDualStack when multiple ipFamilies are specified');
  }
  if (spec.errors.length > 0) throw refused(service, spec.errors);
}

/** The error for a Service whose addresses or ports cannot be allocated. */
export function refused(service: Service, errors: readonly FieldError[]): Error {
  return invalidObject({ group: '', resource: 'Service' }, nameOf(service), errors);
}
