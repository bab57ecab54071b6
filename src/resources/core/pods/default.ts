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

/** Defaults of a Pod that depend on other fields. Mutates. */
export function defaultPod(pod: JsonObject): void {
  const spec = makeObjectAt(pod, 'spec');
  defaultPodSpec(spec);
  setDefault(spec, 'enableServiceLinks', true);
  for (const container of containersOf(spec)) requestWhatIsLimited(makeObjectAt(container, 'resources'));
}

/** Defaults of every pod spec, in Pods and in the templates of workloads. Mutates. */
function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'securityContext', {});
  mirrorServiceAccount(spec);
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume);
  for (const container of containersOf(spec)) defaultContainer(container, isTrue(spec, 'hostNetwork'));
}

/** The defaults of a pod template; one that is settled has them. Mutates. */
export function defaultPodTemplate(template: JsonObject): void {
  if (!isValidatedPart(template)) defaultPodSpec(makeObjectAt(template, 'spec'));
}

/** The defaults of the pod template in `spec.template`. Mutates. */
export function defaultTemplate(workload: JsonObject): void {
  const spec = objectAt(workload, 'spec');
  if (isSet(spec, 'template')) defaultPodTemplate(objectAt(spec, 'template'));
}

/** The containers and init containers of a pod spec, in the order in which they stand. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
}

/** `serviceAccount` is the old name of `serviceAccountName`; readers of either see the same. */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** A volume without a source is an empty directory. */
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

/** What of the processes a container sees is not its to choose, unless a feature is on that no server of this kind has. */
function restrictMount(container: JsonObject): void {
  const security = objectAt(container, 'securityContext');
  if (isSet(security, 'procMount')) security['procMount'] = 'Default';
}

function setPort(port: JsonObject, number: number | undefined): void {
  if (number !== undefined) port['hostPort'] = number;
}

/** A container that limits a resource requests as much of it, unless it says otherwise. */
function requestWhatIsLimited(resources: JsonObject): void {
  const limits = objectAt(resources, 'limits');
  if (Object.keys(limits).length === 0) return;
  const requests = makeObjectAt(resources, 'requests');
  for (const [name, limit] of Object.entries(limits)) setDefault(requests, name, limit);
}
