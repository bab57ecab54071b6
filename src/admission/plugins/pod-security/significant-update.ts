import type { Pod } from '../../../gen/stored/core-v1.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';

/**
 * Reports whether an update of a Pod must be checked: only images, ephemeral containers and the
 * annotations of security profiles can change. Nodes and controllers must be able to write the
 * rest, such as finalizers, to Pods that a stricter level would refuse.
 */
export function isSignificantUpdate(pod: Pod, old: Pod, labelDomain: string): boolean {
  const known = new Map(containersOf(old).map(([key, { image }]) => [key, image]));
  return (
    containersOf(pod).some(([key, { image }]) => known.get(key) !== image) ||
    securityAnnotations(pod, labelDomain) !== securityAnnotations(old, labelDomain)
  );
}

function containersOf({ spec }: Pod): readonly (readonly [key: string, container: AnyContainer])[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container) => [`${list}/${container.name}`, container] as const),
  );
}

/** The annotations of seccomp and AppArmor profiles as one text. */
function securityAnnotations({ metadata: { annotations = {} } }: Pod, labelDomain: string): string {
  const domains = [`seccomp.security.alpha.${labelDomain}/`, `apparmor.security.beta.${labelDomain}/`];
  const keys = Object.keys(annotations).filter((key) => domains.some((domain) => key.includes(domain)));
  return JSON.stringify(keys.toSorted().map((key) => [key, annotations[key]]));
}
