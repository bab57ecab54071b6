import type { Container, Pod, PodSpec, PodTemplateSpec, ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import { isValidatedPart } from '../../../scheme/validated-parts.ts';
import { imageTag } from '../../rules/fields/image-reference.ts';

/** Fills in the defaults of a Pod that depend on other fields. Mutates. */
export function defaultPod({ spec }: Pod): void {
  defaultPodSpec(spec);
  spec.enableServiceLinks ??= true;
  for (const { resources } of containersOf(spec)) requestWhatIsLimited(resources);
}

/** Fills in the defaults of a pod spec, of Pods and of pod templates. Mutates. */
function defaultPodSpec(spec: PodSpec): void {
  mirrorServiceAccount(spec);
  for (const volume of spec.volumes ?? []) {
    // A volume without a source.
    if (Object.keys(volume).every((name) => name === 'name')) volume.emptyDir = {};
  }
  for (const container of containersOf(spec)) defaultContainer(container, spec);
}

/**
 * Fills in the defaults of a pod template. A part that is marked as validated has them already.
 * Mutates.
 */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  if (!isValidatedPart(template)) defaultPodSpec(template.spec);
}

/** The init containers and the containers of a pod spec, in the order of their lists. */
export function containersOf({ initContainers, containers }: PodSpec): readonly Container[] {
  return [...(initContainers ?? []), ...(containers ?? [])];
}

/**
 * Copies `serviceAccountName` to its older name `serviceAccount`, or the other way if only the
 * older one is set. Mutates.
 */
function mirrorServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function defaultContainer(container: Container, { hostNetwork }: PodSpec): void {
  container.imagePullPolicy ??= imageTag(container.image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
  // Other values need a feature gate (ProcMountType), which is off.
  if (container.securityContext?.procMount !== undefined) container.securityContext.procMount = 'Default';
  if (!hostNetwork) return;
  for (const port of container.ports ?? []) {
    if (!port.hostPort) port.hostPort = port.containerPort;
  }
}

/** Sets missing requests of a container to its limits. Mutates. */
function requestWhatIsLimited(resources: ResourceRequirements): void {
  const { limits = {} } = resources;
  if (Object.keys(limits).length > 0) resources.requests = { ...limits, ...resources.requests };
}
