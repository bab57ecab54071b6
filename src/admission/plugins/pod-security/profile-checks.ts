import { getOwn } from '../../../meta/json-value.ts';
import {
  type AnySecurity,
  type Check,
  type CheckedPod,
  distinct,
  plural,
  quoted,
  securityOf,
  settersOf,
  violation,
} from './checked-pod.ts';

const appArmorTypes = ['RuntimeDefault', 'Localhost'];

/** Allows only the default AppArmor profile and profiles of nodes. */
export const appArmorProfile: Check = (pod) => {
  const { annotations, labelDomain } = pod;
  const prefix = `container.apparmor.security.beta.${labelDomain}/`;
  const inAnnotations = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(prefix) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted();
  const types = distinct(valuesIn(pod, (security) => profileTypes(security.appArmorProfile, appArmorTypes)));
  const setters = settersOf(pod, (security) => profileTypes(security.appArmorProfile, appArmorTypes).length > 0);
  const details = [
    ...(inAnnotations.length > 0 ? [inAnnotations.join(', ')] : []),
    ...(setters ? [`${setters} must not set AppArmor profile type to ${quoted(types)}`] : []),
  ];
  if (details.length === 0) return undefined;
  const reason = plural('forbidden AppArmor profile', inAnnotations.length + types.length);
  return { reason, detail: details.join('; ') };
};

function isAllowedAppArmor(profile: string): boolean {
  return profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
}

/** Returns a check that allows SELinux types of containers only, and no users or roles. */
export function seLinuxOptions(types: readonly string[]): Check {
  const badTypes = (security: AnySecurity): readonly string[] => {
    const type = security.seLinuxOptions?.type;
    return !type || types.includes(type) ? [] : [type];
  };
  return (pod) => {
    const setters = settersOf(
      pod,
      (security) =>
        badTypes(security).length > 0 || refusedLinuxFields.some((field) => security.seLinuxOptions?.[field]),
    );
    if (setters === '') return undefined;
    const forbidden = distinct(valuesIn(pod, badTypes));
    const fields = refusedLinuxFields.filter((field) =>
      settersOf(pod, (security) => Boolean(security.seLinuxOptions?.[field])),
    );
    const parts = [
      ...(forbidden.length > 0 ? [`${plural('type', forbidden.length)} ${quoted(forbidden)}`] : []),
      ...fields.map((field) => `${field} may not be set`),
    ];
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${parts.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

/** The SELinux options that no Pod may choose. */
const refusedLinuxFields = ['user', 'role'] as const;

const seccompAnnotations: ReadonlySet<string> = new Set(['runtime/default', 'docker/default']);

/** Allows only the default seccomp profile and profiles of nodes in annotations. */
export const seccompAnnotation: Check = ({ annotations, containers, labelDomain }) => {
  const keys = [
    `seccomp.security.alpha.${labelDomain}/pod`,
    ...containers.map(({ name }) => `container.seccomp.security.alpha.${labelDomain}/${name}`),
  ];
  const shown = distinct(
    keys.flatMap((key) => {
      const value = getOwn(annotations, key) ?? 'runtime/default';
      const isAllowed = seccompAnnotations.has(value) || value.startsWith('localhost/');
      return isAllowed ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  const detail = shown.length > 0 ? `forbidden ${plural('annotation', shown.length)} ${shown.join(', ')}` : '';
  return violation('seccompProfile', detail);
};

const seccompTypes = ['RuntimeDefault', 'Localhost'];

/** Allows only the default seccomp profile and profiles of nodes. */
export const seccompProfile: Check = (pod) => {
  const setters = settersOf(pod, (security) => profileTypes(security.seccompProfile, seccompTypes).length > 0);
  if (setters === '') return undefined;
  const types = distinct(valuesIn(pod, (security) => profileTypes(security.seccompProfile, seccompTypes)));
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`;
  return { reason: 'seccompProfile', detail };
};

/** The type of a profile of a security context, if it is none of `allowed`. */
function profileTypes(profile: { readonly type: string } | undefined, allowed: readonly string[]): readonly string[] {
  return !profile || allowed.includes(profile.type) ? [] : [profile.type];
}

/** The values in the security contexts of the Pod and its containers. */
function valuesIn(
  { spec, containers }: CheckedPod,
  values: (security: AnySecurity) => readonly string[],
): readonly string[] {
  return [securityOf(spec), ...containers.map(securityOf)].flatMap(values);
}
