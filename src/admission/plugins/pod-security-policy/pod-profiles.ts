import type { Pod, SeccompProfile } from '../../../gen/stored/core-v1.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import { getOwn } from '../../../meta/json-value.ts';

/** The annotations with the profiles of Pods and containers, which policies are about. */
export interface ProfileAnnotations {
  readonly podSeccomp: string;
  readonly containerSeccomp: (container: string) => string;
  readonly appArmor: (container: string) => string;
}

/** The names of the annotations. */
export function profileAnnotations(labelDomain: string): ProfileAnnotations {
  return {
    podSeccomp: `seccomp.security.alpha.${labelDomain}/pod`,
    containerSeccomp: (container) => `container.seccomp.security.alpha.${labelDomain}/${container}`,
    appArmor: (container) => `container.apparmor.security.beta.${labelDomain}/${container}`,
  };
}

/** The value of an annotation; undefined without it. */
export function annotationOf({ metadata }: Pod, name: string): string | undefined {
  return getOwn(metadata.annotations ?? {}, name);
}

/** The seccomp profile of a Pod as an annotation has it; '' for none. */
export function podSeccompOf(pod: Pod, { podSeccomp }: ProfileAnnotations): string {
  return annotationOf(pod, podSeccomp) || seccompField(pod.spec) || '';
}

/** The seccomp profile of a container, its own or the Pod's; '' for none. */
export function containerSeccompOf(pod: Pod, container: AnyContainer, annotations: ProfileAnnotations): string {
  const name = annotations.containerSeccomp(container.name);
  return (
    seccompField(container) ??
    annotationOf(pod, name) ??
    seccompField(pod.spec) ??
    annotationOf(pod, annotations.podSeccomp) ??
    ''
  );
}

/** The annotation that stands for the profile in a security context; undefined without profile. */
function seccompField(holder: {
  readonly securityContext?: { readonly seccompProfile?: SeccompProfile };
}): string | undefined {
  const { type, localhostProfile = '' } = holder.securityContext?.seccompProfile ?? {};
  if (type === undefined) return undefined;
  if (type === 'Localhost') return `localhost/${localhostProfile}`;
  return type === 'RuntimeDefault' ? 'runtime/default' : type.toLowerCase();
}
