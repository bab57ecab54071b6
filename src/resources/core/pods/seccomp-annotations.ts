import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { containersOf } from './default.ts';

/**
 * Copies seccomp profiles between annotations and fields, whichever is set, as kube-apiserver does
 * up to 1.26. Older nodes and policies read only the annotations. Mutates.
 */
export function mirrorSeccomp(pod: JsonObject, { labelDomain }: Identifiers): void {
  const spec = objectAt(pod, 'spec');
  mirror(pod, makeObjectAt(pod, 'spec'), `seccomp.security.alpha.${labelDomain}/pod`);
  for (const container of [...containersOf(spec), ...objectsAt(spec, 'ephemeralContainers')]) {
    mirror(pod, container, `container.seccomp.security.alpha.${labelDomain}/${stringAt(container, 'name')}`);
  }
}

function mirror(pod: JsonObject, holder: JsonObject, annotation: string): void {
  const annotations = objectAt(pod, 'metadata', 'annotations');
  const security = objectAt(holder, 'securityContext');
  if (isSet(security, 'seccompProfile')) {
    const text = annotationOf(objectAt(security, 'seccompProfile'));
    if (text !== undefined) setDefault(makeObjectAt(makeObjectAt(pod, 'metadata'), 'annotations'), annotation, text);
    return;
  }
  const profile = isSet(annotations, annotation) ? profileOf(stringAt(annotations, annotation)) : undefined;
  if (profile) makeObjectAt(holder, 'securityContext')['seccompProfile'] = profile;
}

const localPrefix = 'localhost/';

/** The seccomp types without a local profile, with their values in annotations. */
const types: readonly (readonly [type: string, annotation: string])[] = [
  ['Unconfined', 'unconfined'],
  ['RuntimeDefault', 'runtime/default'],
];

function annotationOf(profile: JsonObject): string | undefined {
  const type = stringAt(profile, 'type');
  if (type === 'Localhost') {
    return isSet(profile, 'localhostProfile') ? `${localPrefix}${stringAt(profile, 'localhostProfile')}` : undefined;
  }
  return types.find(([name]) => name === type)?.[1];
}

function profileOf(annotation: string): JsonObject | undefined {
  if (annotation.startsWith(localPrefix) && annotation.length > localPrefix.length) {
    return { type: 'Localhost', localhostProfile: annotation.slice(localPrefix.length) };
  }
  const known = annotation === 'docker/default' ? 'runtime/default' : annotation;
  const type = types.find(([, text]) => text === known)?.[0];
  return type === undefined ? undefined : { type };
}
