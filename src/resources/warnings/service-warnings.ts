import type { Service } from '../../gen/types/core-v1.ts';
import { cidrWarnings, ipWarnings } from './ip-warnings.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';

/** The former annotation of topology aware hints. */
const hintsAnnotation = 'service.{label}/topology-aware-hints';
const modeAnnotation = 'service.{label}/topology-mode';

/** The warnings about a Service, since 1.27. */
export function serviceWarnings({ metadata, spec = {} }: Service, emulated: WarningRelease): readonly string[] {
  if (!warnsSince(emulated, '1.27')) return [];
  const {
    clusterIP = '',
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = '',
    loadBalancerSourceRanges = [],
  } = spec;
  const hints = withDomains(hintsAnnotation, emulated);
  const isExternal = spec.type === 'ExternalName';
  const isHeadless = spec.type === 'ClusterIP' && clusterIP === 'None';
  const hasAddress = clusterIP !== '' && clusterIP !== 'None' && !isExternal;
  const isDeprecated = externalIPs.length > 0 && !isHeadless && !isExternal && warnsSince(emulated, '1.36');
  return [
    ...(metadata?.annotations?.[hints] === undefined
      ? []
      : [`annotation ${hints} is deprecated, please use ${withDomains(modeAnnotation, emulated)} instead`]),
    ...(hasAddress ? clusterIPs.flatMap((ip, index) => ipWarnings(`spec.clusterIPs[${index}]`, ip, emulated)) : []),
    ...(isHeadless && warnsSince(emulated, '1.34') ? headlessWarnings(spec) : []),
    ...externalIPs.flatMap((ip, index) => ipWarnings(`spec.externalIPs[${index}]`, ip, emulated)),
    ...(isDeprecated ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'] : []),
    ...(loadBalancerIP === '' ? [] : ipWarnings('spec.loadBalancerIP', loadBalancerIP, emulated)),
    ...loadBalancerSourceRanges.flatMap((range, index) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range, emulated),
    ),
    ...(warnsSince(emulated, '1.28') ? nameWarnings(spec, isExternal) : []),
    ...(spec.trafficDistribution === 'PreferClose' && warnsSince(emulated, '1.35')
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

type Spec = NonNullable<Service['spec']>;

function headlessWarnings({
  loadBalancerIP = '',
  externalIPs = [],
  sessionAffinity = 'None',
}: Spec): readonly string[] {
  return [
    ...(loadBalancerIP === '' ? [] : ['spec.loadBalancerIP is ignored for headless services']),
    ...(externalIPs.length === 0 ? [] : ['spec.externalIPs is ignored for headless services']),
    ...(sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ];
}

function nameWarnings({ externalIPs = [], externalName = '' }: Spec, isExternal: boolean): readonly string[] {
  if (isExternal)
    return externalIPs.length === 0 ? [] : ['spec.externalIPs is ignored when spec.type is "ExternalName"'];
  return externalName === '' ? [] : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}
