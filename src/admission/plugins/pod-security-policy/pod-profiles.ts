import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';

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
export function annotationOf(pod: JsonObject, name: string): string | undefined {
  const annotations = objectAt(pod, 'metadata', 'annotations');
  return isSet(annotations, name) ? stringAt(annotations, name) : undefined;
}

/** The seccomp profile of a Pod as an annotation has it; '' for none. */
export function podSeccompOf(pod: JsonObject, { podSeccomp }: ProfileAnnotations): string {
  return annotationOf(pod, podSeccomp) || seccompField(objectAt(pod, 'spec')) || '';
}

/** The seccomp profile of a container, its own or that of the Pod; '' for none. */
export function containerSeccompOf(pod: JsonObject, container: JsonObject, annotations: ProfileAnnotations): string {
  const name = annotations.containerSeccomp(stringAt(container, 'name'));
  return (
    seccompField(container) ??
    annotationOf(pod, name) ??
    seccompField(objectAt(pod, 'spec')) ??
    annotationOf(pod, annotations.podSeccomp) ??
    ''
  );
}

/** The annotation that stands for the profile in a security context; undefined without profile. */
function seccompField(holder: JsonObject): string | undefined {
  const security = objectAt(holder, 'securityContext');
  if (!isSet(security, 'seccompProfile')) return undefined;
  const profile = objectAt(security, 'seccompProfile');
  const type = stringAt(profile, 'type');
  if (type === 'Localhost') return `localhost/${stringAt(profile, 'localhostProfile')}`;
  return type === 'RuntimeDefault' ? 'runtime/default' : type.toLowerCase();
}
