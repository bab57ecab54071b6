import type { EphemeralContainer, Pod } from '../../../gen/stored/core-v1.ts';
import { getMeta, type MetadataField, setMeta } from '../../../meta/object-meta.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { forbidden, notFoundField } from '../../../status/field-error.ts';
import { isMirrorPod } from './annotations.ts';
import { containersOf } from './default.ts';

/**
 * The `ephemeralcontainers` sub-resource: adds containers to a running pod. Everything else is
 * kept.
 */
export const ephemeralContainers: SubresourceStrategy<Pod> = {
  prepareForUpdate: keepAllButEphemeral,
  validateUpdate: (pod, old, { emulated }) => {
    // kube-apiserver reports only this error, without a field.
    if (isMirrorPod(old) && isSince(emulated.release, '1.27')) {
      return [forbidden('', 'static pods do not support ephemeral containers')];
    }
    const cursor = new FieldCursor(pod);
    checkContainers(cursor, emulated);
    checkKept(cursor, old);
    return cursor.errors;
  },
};

/** The only fields of the written metadata that are used: they identify the pod. */
const identity: readonly MetadataField[] = ['name', 'namespace', 'uid', 'resourceVersion'];

function keepAllButEphemeral(pod: Pod, old: Pod): void {
  const { ephemeralContainers: added } = pod.spec;
  const kept = structuredClone(old);
  for (const field of identity) setMeta(kept, field, getMeta(pod, field));
  if (added) kept.spec.ephemeralContainers = added;
  else delete kept.spec.ephemeralContainers;
  Object.assign(pod, kept);
}

/**
 * Checks the containers. The schema demands names and images, too, but its errors do not show
 * beside a forbidden change of the list.
 */
function checkContainers(pod: FieldCursor<Pod>, emulated: EmulatedRelease): void {
  const { spec } = pod.value;
  const taken = new Set(containersOf(spec).map(({ name }) => name));
  const isLater = isSince(emulated.release, '1.27');
  const targets = isLater ? new Set(taken) : new Set((spec.containers ?? []).map(({ name }) => name));
  for (const container of pod.at('spec').each('ephemeralContainers')) {
    const name = container.at('name');
    name.mustBeSet();
    name.mustBe(validateDnsLabel);
    name.mustBeUnique(taken);
    container.at('image').mustBeSet();
    const { value: target, path } = container.at('targetContainerName');
    if (target && !targets.has(target)) container.report(notFoundField(path, target));
    for (const part of impossible) {
      const field = container.at(part);
      if (!sameValue(field.value, {})) field.reportForbidden('cannot be set for an Ephemeral Container');
    }
    if (isSince(emulated.release, '1.27')) refuseLaterParts(container);
  }
}

/** Fields that ephemeral containers may not have. */
const impossible = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources'] as const;

const impossibleLater = ['resizePolicy', 'restartPolicy', 'restartPolicyRules'] as const;

function refuseLaterParts(container: FieldCursor<EphemeralContainer>): void {
  const mounts = [...container.each('volumeMounts')].flatMap((mount) => [mount.at('subPath'), mount.at('subPathExpr')]);
  for (const field of [...impossibleLater.map((part) => container.at(part)), ...mounts]) {
    if (field.isSet) field.reportForbidden('cannot be set for an Ephemeral Container');
  }
}

const sameContainer = sameMessage('api.core.v1.EphemeralContainer');

/** Refuses to change or remove existing ephemeral containers. */
function checkKept(pod: FieldCursor<Pod>, old: Pod): void {
  const list = pod.at('spec').at('ephemeralContainers');
  const now = new Map((list.value ?? []).map((container) => [container.name, container]));
  for (const before of old.spec.ephemeralContainers ?? []) {
    const after = now.get(before.name);
    const which = `existing ephemeral containers ${JSON.stringify(before.name)}`;
    if (!after) list.reportForbidden(`${which} may not be removed\n`);
    else if (!sameContainer(after, before)) list.reportForbidden(`${which} may not be changed\n`);
  }
}
