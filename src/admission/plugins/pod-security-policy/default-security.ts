import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isSet, isTrue, makeObjectAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { podSeccompOf, type ProfileAnnotations } from './pod-profiles.ts';
import type { IdRule, UsablePolicy } from './usable-policy.ts';

/** The lists of containers in a Pod. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Sets what a policy requires, where the Pod says nothing about it. Mutates the Pod. */
export function defaultSecurity(pod: JsonObject, policy: UsablePolicy, annotations: ProfileAnnotations): void {
  const spec = makeObjectAt(pod, 'spec');
  const seLinux = seLinuxOf(policy);
  const group = firstId(policy.supplementalGroups);
  setMissing(spec, 'supplementalGroups', group === undefined ? undefined : [group]);
  setMissing(spec, 'fsGroup', firstId(policy.fsGroup));
  setMissing(spec, 'seLinuxOptions', seLinux);
  const { defaultProfile } = policy.seccomp;
  if (defaultProfile !== '' && podSeccompOf(pod, annotations) === '') {
    annotate(pod, annotations.podSeccomp, defaultProfile);
  }
  const runtimeClass = stringAt(objectAt(policy.spec, 'runtimeClass'), 'defaultRuntimeClassName');
  if (runtimeClass !== '' && !isSet(spec, 'runtimeClassName')) spec['runtimeClassName'] = runtimeClass;
  for (const container of containerLists.flatMap((list) => objectsAt(spec, list))) {
    defaultContainer(pod, container, policy, annotations);
  }
}

function defaultContainer(
  pod: JsonObject,
  container: JsonObject,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
): void {
  const { spec } = policy;
  const inherits = (field: string) => isSet(objectAt(pod, 'spec', 'securityContext'), field);
  const setUninherited = (field: string, value: JsonValue | undefined): void => {
    if (!inherits(field)) setMissing(container, field, value);
  };
  const isNew = !inherits('runAsUser') && !isSet(objectAt(container, 'securityContext'), 'runAsUser');
  setUninherited('runAsUser', firstId(policy.runAsUser));
  setUninherited('runAsGroup', firstId(policy.runAsGroup));
  setUninherited('seLinuxOptions', seLinuxOf(policy));
  const armor = annotations.appArmor(stringAt(container, 'name'));
  const { defaultProfile } = policy.appArmor;
  const hasArmor = stringAt(objectAt(pod, 'metadata', 'annotations'), armor) !== '';
  if (defaultProfile !== '' && !hasArmor) annotate(pod, armor, defaultProfile);
  if (isNew && policy.runAsUser.rule === 'MustRunAsNonRoot') setUninherited('runAsNonRoot', true);
  defaultCapabilities(container, spec);
  if (isTrue(spec, 'readOnlyRootFilesystem')) setMissing(container, 'readOnlyRootFilesystem', true);
  setMissing(container, 'allowPrivilegeEscalation', getOwn(spec, 'defaultAllowPrivilegeEscalation'));
  if (getOwn(spec, 'allowPrivilegeEscalation') === false) setMissing(container, 'allowPrivilegeEscalation', false);
}

/** Adds the default capabilities that the container does not drop, and drops the required ones. */
function defaultCapabilities(container: JsonObject, spec: JsonObject): void {
  const own = objectAt(container, 'securityContext', 'capabilities');
  const [added, dropped] = [stringsAt(own, 'add'), stringsAt(own, 'drop')];
  const defaults = stringsAt(spec, 'defaultAddCapabilities').filter((name) => !dropped.includes(name));
  const add = new Set([...added, ...defaults]);
  const drop = new Set([...dropped, ...stringsAt(spec, 'requiredDropCapabilities')]);
  if (add.size === new Set(added).size && drop.size === new Set(dropped).size) return;
  makeObjectAt(container, 'securityContext')['capabilities'] = {
    ...(add.size > 0 ? { add: [...add].toSorted() } : {}),
    ...(drop.size > 0 ? { drop: [...drop].toSorted() } : {}),
  };
}

/** Sets a field of the security context if it is missing and there is a value. */
function setMissing(holder: JsonObject, field: string, value: JsonValue | undefined): void {
  if (value === undefined || value === null || isSet(objectAt(holder, 'securityContext'), field)) return;
  makeObjectAt(holder, 'securityContext')[field] = copyJson(value);
}

/** The first id of a rule that prescribes one. */
function firstId({ rule, ranges }: IdRule): number | undefined {
  return rule === 'MustRunAs' ? ranges[0]?.min : undefined;
}

function seLinuxOf({ spec }: UsablePolicy): JsonObject | undefined {
  const seLinux = objectAt(spec, 'seLinux');
  const options = getOwn(seLinux, 'seLinuxOptions');
  return stringAt(seLinux, 'rule') === 'MustRunAs' && isJsonObject(options) ? options : undefined;
}

function annotate(pod: JsonObject, name: string, value: string): void {
  makeObjectAt(makeObjectAt(pod, 'metadata'), 'annotations')[name] = value;
}
