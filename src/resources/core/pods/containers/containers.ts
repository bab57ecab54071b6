import type { Container, PodSpec } from '../../../../gen/stored/core-v1.ts';
import { validateDnsLabel, validatePortName } from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { duplicate } from '../../../../status/field-error.ts';
import { checkPortNumber } from '../../../rules/fields/port.ts';
import { checkContainerResources } from '../../../rules/fields/resource-amounts.ts';
import type { Mountable } from '../volumes/volumes.ts';
import { checkLifecycle, checkProbes } from './probe.ts';
import { checkContainerSecurity } from './security-context.ts';
import { checkVariables } from './variable.ts';
import { checkDevices, checkMounts } from './volume-mount.ts';

/** A list of the containers of a pod. */
type List = 'containers' | 'initContainers';

/**
 * Checks the containers of a pod spec: unique names, ports, variables, mounts of existing volumes,
 * probes and resources.
 */
export function checkContainers(spec: FieldCursor<PodSpec>, list: List, volumes: Mountable): void {
  const [names, hostPorts] = [new Set<string>(), new Set<string>()];
  for (const container of spec.each(list)) {
    checkName(container.at('name'), names);
    checkLifecycle(container.at('lifecycle'));
    checkProbes(container);
    checkPorts(container, hostPorts);
    if (list === 'containers' && spec.value.hostNetwork) checkHostNetwork(container);
    checkVariables(container);
    checkMounts(container, volumes);
    checkDevices(container, volumes);
    container.report(...checkContainerResources(`${container.path}.resources`, container.value.resources));
    checkContainerSecurity(container.at('securityContext'));
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
 * Checks the init containers. They have no probes or lifecycle hooks, and their names differ from
 * those of the containers.
 */
export function checkInitContainers(spec: FieldCursor<PodSpec>, volumes: Mountable): void {
  checkContainers(spec, 'initContainers', volumes);
  const taken = new Set((spec.value.containers ?? []).map(({ name }) => name));
  for (const container of spec.each('initContainers')) {
    const name = container.at('name');
    if (taken.has(name.value)) name.reportDuplicate();
    for (const part of runningOnly) {
      const field = container.at(part);
      if (field.isSet) field.reportInvalid('must not be set for init containers');
    }
  }
}

/** Fields that init containers may not have. */
const runningOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

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

/** Checks that ports of pods on the host network have equal `containerPort` and `hostPort`. */
function checkHostNetwork(container: FieldCursor<Container>): void {
  for (const port of container.each('ports')) {
    const { containerPort, hostPort = 0 } = port.value;
    if (containerPort === hostPort) continue;
    port.at('containerPort').reportInvalid('must match `hostPort` when `hostNetwork` is true');
  }
}
