import type { Pod, PodSpec, SeccompProfile } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type AnyContainer, allContainers } from '../../../kinds/core/pod.ts';
import { getOwn } from '../../../meta/json-value.ts';

/**
 * Copies seccomp profiles between annotations and fields, whichever is set, as kube-apiserver does
 * up to 1.26. Older nodes and policies read only the annotations. Mutates.
 */
export function mirrorSeccomp(pod: Pod, { labelDomain }: Identifiers): void {
  mirror(pod, pod.spec, `seccomp.security.alpha.${labelDomain}/pod`);
  for (const container of allContainers(pod.spec)) {
    mirror(pod, container, `container.seccomp.security.alpha.${labelDomain}/${container.name}`);
  }
}

function mirror({ metadata }: Pod, holder: PodSpec | AnyContainer, annotation: string): void {
  const { seccompProfile } = holder.securityContext ?? {};
  const given = getOwn(metadata.annotations ?? {}, annotation);
  if (seccompProfile) {
    const text = annotationOf(seccompProfile);
    if (text !== undefined && given === undefined)
      metadata.annotations = { ...metadata.annotations, [annotation]: text };
    return;
  }
  const profile = given === undefined ? undefined : profileOf(given);
  if (profile) holder.securityContext = { ...holder.securityContext, seccompProfile: profile };
}

const localPrefix = 'localhost/';

/** The seccomp types without a local profile, with their values in annotations. */
const types: readonly (readonly [type: string, annotation: string])[] = [
  ['Unconfined', 'unconfined'],
  ['RuntimeDefault', 'runtime/default'],
];

function annotationOf({ type, localhostProfile }: SeccompProfile): string | undefined {
  if (type !== 'Localhost') return types.find(([name]) => name === type)?.[1];
  return localhostProfile === undefined ? undefined : `${localPrefix}${localhostProfile}`;
}

function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation.startsWith(localPrefix) && annotation.length > localPrefix.length) {
    return { type: 'Localhost', localhostProfile: annotation.slice(localPrefix.length) };
  }
  const known = annotation === 'docker/default' ? 'runtime/default' : annotation;
  const type = types.find(([, text]) => text === known)?.[0];
  return type === undefined ? undefined : { type };
}
