import type { Container, PodSpec } from '../../../../gen/stored/core-v1.ts';
import { isSidecar } from '../../../../kinds/core/pod.ts';
import { validateDnsLabel, validatePortName } from '../../../../meta/validate-name.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { duplicate } from '../../../../status/field-error.ts';
import { checkPortNumber } from '../../../rules/fields/port.ts';
import { checkContainerResources } from '../../../rules/fields/resource-amounts.ts';
import { checkClaimReferences } from './resource-claims.ts';
import type { Mountable } from '../volumes/check-pod-volumes.ts';
import { checkVariables } from './check-variables.ts';
import { checkLifecycle, checkProbes } from './check-probes.ts';
import { checkInitRestarts, checkResizePolicy, checkRestarts } from './check-restarts.ts';
import { checkContainerSecurity } from './security-context.ts';
import { checkDevices, checkMounts } from './volume-mount.ts';

/** The name of a container list. */
type List = 'containers' | 'initContainers';

/** The mountable volumes, and the emulated release. */
interface ContainerContext {
  readonly volumes: Mountable;
  readonly emulated: EmulatedRelease;
  readonly isTemplate: boolean;
}

/** Checks the regular containers of a pod spec. */
export function checkContainers(spec: FieldCursor<PodSpec>, context: ContainerContext): void {
  checkList(spec, 'containers', context);
  for (const container of spec.each('containers')) {
    checkLifecycle(container.at('lifecycle'), spec.value, context.emulated);
    checkProbes(container);
    checkRestarts(container, context.emulated);
  }
}

/**
 * Checks the containers of one list: unique names, ports, variables, mounts of existing volumes,
 * and resources.
 */
function checkList(spec: FieldCursor<PodSpec>, list: List, context: ContainerContext): void {
  const { volumes, emulated } = context;
  const names = new Set<string>();
  let hostPorts = new Set<string>();
  for (const container of spec.each(list)) {
    checkName(container.at('name'), names);
    // Init containers run one after another, so that they can share host ports.
    if (list === 'initContainers' && isSince(emulated.release, '1.27')) hostPorts = new Set();
    checkPorts(container, hostPorts);
    if (list === 'containers' && spec.value.hostNetwork) checkHostNetwork(container, context);
    checkVariables(container, emulated);
    checkMounts(container, volumes, emulated);
    checkDevices(container, volumes);
    container.report(...checkContainerResources(`${container.path}.resources`, container.value.resources));
    checkClaimReferences(container.at('resources'), spec.value);
    checkResizePolicy(container, spec.value);
    checkContainerSecurity(container.at('securityContext'), spec.value, emulated);
  }
}

/** Checks a name. The schema has its format too, but an error of a repeated name replaces that. */
function checkName(name: FieldCursor<string>, seen: Set<string>): void {
  name.mustBeSet();
  name.mustBe(validateDnsLabel);
  if (seen.has(name.value)) name.reportDuplicate();
  seen.add(name.value);
}

/**
 * Checks the init containers. Only sidecars may have probes and lifecycle hooks. Their names must
 * differ from the names of regular containers.
 */
export function checkInitContainers(spec: FieldCursor<PodSpec>, context: ContainerContext): void {
  const { emulated } = context;
  checkList(spec, 'initContainers', context);
  const taken = new Set((spec.value.containers ?? []).map(({ name }) => name));
  for (const container of spec.each('initContainers')) {
    const name = container.at('name');
    if (taken.has(name.value)) name.reportDuplicate();
    checkInitRestarts(container, emulated);
    if (isSidecar(container.value)) {
      checkLifecycle(container.at('lifecycle'), spec.value, emulated);
      checkProbes(container);
    } else refuseRunningParts(container, spec.value, emulated);
    if (!isSince(emulated.release, '1.33') && (container.value.resizePolicy ?? []).length > 0) {
      container.at('resizePolicy').reportInvalid('must not be set for init containers');
    }
  }
}

/** The fields that only sidecars may have among init containers. */
const runningOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function refuseRunningParts(container: FieldCursor<Container>, spec: PodSpec, emulated: EmulatedRelease): void {
  if (!isSince(emulated.release, '1.28')) {
    checkLifecycle(container.at('lifecycle'), spec, emulated);
    checkProbes(container);
  }
  for (const part of runningOnly) {
    const field = container.at(part);
    if (!field.isSet) continue;
    if (isSince(emulated.release, '1.28')) {
      field.reportForbidden('may not be set for init containers without restartPolicy=Always');
    } else field.reportInvalid('must not be set for init containers');
  }
}

/** Checks the ports of a container. No two containers of a list use the same port of the host. */
function checkPorts(container: FieldCursor<Container>, hostPorts: Set<string>): void {
  const names = new Set<string>();
  for (const port of container.each('ports')) {
    const name = port.at('name');
    name.mustBe(validatePortName);
    name.mustBeUnique(names);
    const { hostPort = 0, protocol, hostIP = '' } = port.value;
    if (hostPort === 0) continue;
    const field = `${port.path}.hostPort`;
    const identity = `${protocol}/${hostIP}/${hostPort}`;
    port.report(...checkPortNumber(field, hostPort));
    if (hostPorts.has(identity)) port.report(duplicate(field, identity));
    hostPorts.add(identity);
  }
}

/**
 * Checks that `containerPort` and `hostPort` are equal on the host network. Since release 1.28 the
 * error is at `hostPort`.
 */
function checkHostNetwork(container: FieldCursor<Container>, { emulated, isTemplate }: ContainerContext): void {
  for (const port of container.each('ports')) {
    const { containerPort, hostPort = 0 } = port.value;
    if (containerPort === hostPort) continue;
    if (!isSince(emulated.release, '1.28')) {
      port.at('containerPort').reportInvalid('must match `hostPort` when `hostNetwork` is true');
    } else if (hostPort !== 0 || !isTemplate) {
      port.at('hostPort').reportInvalid('must match `containerPort` when `hostNetwork` is true', hostPort);
    }
  }
}
