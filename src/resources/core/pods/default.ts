import type { Container, Pod, PodSpec, PodTemplateSpec, ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { isValidatedPart } from '../../../scheme/validated-parts.ts';
import { imageTag } from '../../rules/fields/image-reference.ts';
import { defaultPodResources } from './pod-resources.ts';

/** The emulated release, which decides about defaults. */
type Context = Pick<StrategyContext, 'emulated'>;

/** Fills in the defaults of a Pod that depend on other fields. Mutates. */
export function defaultPod({ spec }: Pod, context: Context): void {
  defaultPodSpec(spec, context);
  spec.enableServiceLinks ??= true;
  for (const { resources } of containersOf(spec)) requestWhatIsLimited(resources);
  defaultPodResources(spec);
  if (spec.hostNetwork) defaultHostPorts(spec);
}

/** Fills in the defaults of a pod spec, of Pods and of pod templates. Mutates. */
function defaultPodSpec(spec: PodSpec, { emulated }: Context): void {
  mirrorServiceAccount(spec);
  for (const volume of spec.volumes ?? []) {
    // A volume without a source.
    if (Object.keys(volume).every((name) => name === 'name')) volume.emptyDir = {};
    if (volume.image) volume.image.pullPolicy ??= pullPolicyOf(volume.image.reference);
  }
  const masksProc = !emulated.isFeatureEnabled('ProcMountType');
  for (const container of containersOf(spec)) {
    container.imagePullPolicy ??= pullPolicyOf(container.image);
    if (masksProc && container.securityContext?.procMount !== undefined)
      container.securityContext.procMount = 'Default';
  }
  // Since 1.28 templates get no default here, so that an upgrade does not change them.
  if (spec.hostNetwork && !isSince(emulated.release, '1.28')) defaultHostPorts(spec);
}

/**
 * Fills in the defaults of a pod template. A part that is marked as validated has them already.
 * Mutates.
 */
export function defaultPodTemplate(template: PodTemplateSpec, context: Context): void {
  if (!isValidatedPart(template)) defaultPodSpec(template.spec, context);
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

/** The default pull policy: only the tag `latest` is assumed to change. */
function pullPolicyOf(image = ''): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Sets host ports of containers on the host network to their container ports. Mutates. */
function defaultHostPorts(spec: PodSpec): void {
  for (const port of containersOf(spec).flatMap(({ ports }) => ports ?? [])) {
    if (!port.hostPort) port.hostPort = port.containerPort;
  }
}

/** Sets missing requests of a container to its limits. Mutates. */
function requestWhatIsLimited(resources: ResourceRequirements): void {
  const { limits = {} } = resources;
  if (Object.keys(limits).length > 0) resources.requests = { ...limits, ...resources.requests };
}
