import type { JsonObject } from '../../../meta/json-value.ts';
import {
  isSet,
  isTrue,
  makeObjectAt,
  numberAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
} from '../../../meta/read-field.ts';
import { isValidatedPart } from '../../../scheme/validated-parts.ts';
import { imageTag } from '../../rules/fields/image-reference.ts';

/** Fills in the defaults of a Pod that depend on other fields. Mutates. */
export function defaultPod(pod: JsonObject): void {
  const spec = makeObjectAt(pod, 'spec');
  defaultPodSpec(spec);
  setDefault(spec, 'enableServiceLinks', true);
  for (const container of containersOf(spec)) requestWhatIsLimited(makeObjectAt(container, 'resources'));
}

/** Fills in the defaults of a pod spec, of Pods and of pod templates. Mutates. */
function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'securityContext', {});
  mirrorServiceAccount(spec);
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume);
  for (const container of containersOf(spec)) defaultContainer(container, isTrue(spec, 'hostNetwork'));
}

/**
 * Fills in the defaults of a pod template. A part that is marked as validated has them already.
 * Mutates.
 */
export function defaultPodTemplate(template: JsonObject): void {
  if (!isValidatedPart(template)) defaultPodSpec(makeObjectAt(template, 'spec'));
}

/** The init containers and the containers of a pod spec, in the order of their lists. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
}

/**
 * Copies `serviceAccountName` to its older name `serviceAccount`, or the other way if only the
 * older one is set. Mutates.
 */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** A volume without a source becomes an `emptyDir`. Mutates. */
function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume['emptyDir'] = {};
}

function defaultContainer(container: JsonObject, hostNetwork: boolean): void {
  setDefault(container, 'resources', {});
  if (stringAt(container, 'imagePullPolicy') === '') {
    container['imagePullPolicy'] = imageTag(stringAt(container, 'image')) === 'latest' ? 'Always' : 'IfNotPresent';
  }
  restrictMount(container);
  if (!hostNetwork) return;
  for (const port of objectsAt(container, 'ports')) {
    if (!numberAt(port, 'hostPort')) setPort(port, numberAt(port, 'containerPort'));
  }
}

/**
 * Resets `procMount` to Default: other values need a feature gate (ProcMountType), which is off.
 * Mutates.
 */
function restrictMount(container: JsonObject): void {
  const security = objectAt(container, 'securityContext');
  if (isSet(security, 'procMount')) security['procMount'] = 'Default';
}

function setPort(port: JsonObject, number: number | undefined): void {
  if (number !== undefined) port['hostPort'] = number;
}

/** Sets missing requests of a container to its limits. Mutates. */
function requestWhatIsLimited(resources: JsonObject): void {
  const limits = objectAt(resources, 'limits');
  if (Object.keys(limits).length === 0) return;
  const requests = makeObjectAt(resources, 'requests');
  for (const [name, limit] of Object.entries(limits)) setDefault(requests, name, limit);
}
