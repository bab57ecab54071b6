import type { Endpoints, Node, Pod, Service } from '../../gen/types/core-v1.ts';
import type { EndpointSlice } from '../../gen/types/discovery-v1.ts';
import type { Ingress, NetworkPolicy } from '../../gen/types/networking-v1.ts';
import { cidrWarnings, ipWarnings } from './ip-warnings.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';

/** The warnings about the addresses of Endpoints, unless their controller wrote them. */
export function endpointsWarnings({ metadata, subsets = [] }: Endpoints, emulated: WarningRelease): readonly string[] {
  if (metadata?.labels?.[withDomains('endpoints.{label}/managed-by', emulated)] === 'endpoint-controller') return [];
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) =>
      (subset[field] ?? []).flatMap(({ ip }, position) =>
        ipWarnings(`subsets[${index}].${field}[${position}].ip`, ip, emulated),
      ),
    ),
  );
}

/** The controllers whose EndpointSlices have canonical addresses. */
const sliceControllers = ['endpointslice-controller.{api}', 'endpointslicemirroring-controller.{api}'];

/** The warnings about an EndpointSlice: about FQDNs since 1.27, about addresses since 1.33. */
export function endpointSliceWarnings(
  { metadata, addressType, endpoints }: EndpointSlice,
  emulated: WarningRelease,
  isNew: boolean,
): readonly string[] {
  const manager = metadata?.labels?.[withDomains('endpointslice.{label}/managed-by', emulated)] ?? '';
  const isTrusted = sliceControllers.some((name) => withDomains(name, emulated) === manager);
  const isChecked = warnsSince(emulated, '1.33') && !isTrusted;
  return [
    ...(isNew && addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(isChecked
      ? // Lists that are always present are null without items.
        (endpoints ?? []).flatMap(({ addresses }, index) =>
          addresses.flatMap((ip, position) => ipWarnings(`endpoints[${index}].addresses[${position}]`, ip, emulated)),
        )
      : []),
  ];
}

/** The warnings about a Node. */
export function nodeWarnings({ spec = {} }: Node, emulated: WarningRelease): readonly string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...((spec.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(warnsSince(emulated, '1.33')
      ? (spec.podCIDRs ?? []).flatMap((range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range, emulated))
      : []),
  ];
}

/** The warnings about the CIDRs of a NetworkPolicy. */
export function networkPolicyWarnings({ spec }: NetworkPolicy, emulated: WarningRelease): readonly string[] {
  const blocks = [
    ...(spec?.ingress ?? []).map(({ from = [] }, index) => ({ path: `spec.ingress[${index}].from`, peers: from })),
    ...(spec?.egress ?? []).map(({ to = [] }, index) => ({ path: `spec.egress[${index}].to`, peers: to })),
  ];
  return blocks.flatMap(({ path, peers }) =>
    peers.flatMap(({ ipBlock }, index) => {
      const at = `${path}[${index}].ipBlock`;
      if (ipBlock === undefined) return [];
      return [
        ...cidrWarnings(`${at}.cidr`, ipBlock.cidr, emulated),
        ...(ipBlock.except ?? []).flatMap((range, position) =>
          cidrWarnings(`${at}.except[${position}]`, range, emulated),
        ),
      ];
    }),
  );
}

/** The warnings about the IPs in a Pod's status. */
export function podStatusWarnings({ status = {} }: Pod, emulated: WarningRelease): readonly string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((field) =>
    (status[field] ?? []).flatMap(({ ip = '' }, index) => ipWarnings(`status.${field}[${index}].ip`, ip, emulated)),
  );
}

/** The warnings about load balancer addresses in a status. */
export function balancerWarnings({ status = {} }: Service | Ingress, emulated: WarningRelease): readonly string[] {
  return (status.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
    ipWarnings(`status.loadBalancer.ingress[${index}]`, ip, emulated),
  );
}
