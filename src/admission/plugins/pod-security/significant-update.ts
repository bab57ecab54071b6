import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * Reports whether an update of a Pod must be checked: only images, ephemeral containers and the
 * annotations of security profiles can change. Nodes and controllers must be able to write the
 * rest, such as finalizers, to Pods that a stricter level would refuse.
 */
export function isSignificantUpdate(pod: JsonObject, old: JsonObject, labelDomain: string): boolean {
  const known = new Map(containersOf(old).map(([key, container]) => [key, stringAt(container, 'image')]));
  return (
    containersOf(pod).some(([key, container]) => known.get(key) !== stringAt(container, 'image')) ||
    securityAnnotations(pod, labelDomain) !== securityAnnotations(old, labelDomain)
  );
}

function containersOf(pod: JsonObject): readonly (readonly [key: string, container: JsonObject])[] {
  const spec = objectAt(pod, 'spec');
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container) => [`${list}/${stringAt(container, 'name')}`, container] as const),
  );
}

/** The annotations of seccomp and AppArmor profiles as one text. */
function securityAnnotations(pod: JsonObject, labelDomain: string): string {
  const annotations = objectAt(pod, 'metadata', 'annotations');
  const domains = [`seccomp.security.alpha.${labelDomain}/`, `apparmor.security.beta.${labelDomain}/`];
  const keys = Object.keys(annotations).filter((key) => domains.some((domain) => key.includes(domain)));
  return JSON.stringify(keys.toSorted().map((key) => [key, stringAt(annotations, key)]));
}
