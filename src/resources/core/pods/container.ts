import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsLabel, validatePortName } from '../../../meta/validate-name.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';
import { checkLifecycle, checkProbes } from './probe.ts';
import { checkContainerSecurity } from './security-context.ts';
import { checkVariable, checkVariableSources } from './variable.ts';
import { checkDevices, checkMounts, type Mountable } from './volume-mount.ts';

/**
 * Checks the containers of a pod spec: unique names, images, ports, variables, mounts of existing
 * volumes, probes and resources.
 */
export function checkContainers(
  field: string,
  containers: readonly JsonObject[],
  volumes: Mountable,
): readonly FieldError[] {
  const seen = new Set<string>();
  return allErrors(
    checkEach(field, containers, (container, path) => containerErrors(container, path, seen, volumes)),
    hostPortErrors(field, containers),
  );
}

function containerErrors(
  container: JsonObject,
  path: string,
  seen: Set<string>,
  volumes: Mountable,
): readonly FieldError[] {
  return allErrors(
    identityErrors(container, path, seen),
    checkLifecycle(`${path}.lifecycle`, objectAt(container, 'lifecycle')),
    checkProbes(container, path),
    equipmentErrors(container, path, volumes),
  );
}

/**
 * Checks the init containers. They have no probes or lifecycle hooks, and their names differ from
 * those of the containers.
 */
export function checkInitContainers(
  field: string,
  containers: readonly JsonObject[],
  others: readonly JsonObject[],
  volumes: Mountable,
): readonly FieldError[] {
  if (containers.length === 0) return noErrors;
  const seen = new Set<string>();
  const taken = new Set(others.map((container) => stringAt(container, 'name')));
  return allErrors(
    checkEach(field, containers, (container, path) => containerErrors(container, path, seen, volumes)),
    hostPortErrors(field, containers),
    checkEach(field, containers, (container, path) => {
      const name = stringAt(container, 'name');
      return allErrors(
        taken.has(name) ? [duplicate(`${path}.name`, name)] : noErrors,
        runningOnly
          .filter((part) => isSet(container, part))
          .map((part) => invalid(`${path}.${part}`, container[part], 'must not be set for init containers')),
      );
    }),
  );
}

/** Fields that init containers may not have. */
const runningOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/** Checks that a container has a unique name. */
function identityErrors(container: JsonObject, path: string, seen: Set<string>): readonly FieldError[] {
  const name = stringAt(container, 'name');
  const repeated = seen.has(name);
  seen.add(name);
  return allErrors(
    checkRequiredString(`${path}.name`, name, validateDnsLabel),
    repeated ? [duplicate(`${path}.name`, name)] : noErrors,
  );
}

/** Checks ports, variables, mounts, devices, resources and the other settings of a container. */
function equipmentErrors(container: JsonObject, path: string, volumes: Mountable): readonly FieldError[] {
  return allErrors(
    portErrors(`${path}.ports`, objectsAt(container, 'ports')),
    checkEach(`${path}.env`, objectsAt(container, 'env'), checkVariable),
    checkVariableSources(`${path}.envFrom`, objectsAt(container, 'envFrom')),
    checkMounts(`${path}.volumeMounts`, container, volumes),
    checkDevices(`${path}.volumeDevices`, container, volumes),
    checkContainerResources(`${path}.resources`, objectAt(container, 'resources')),
    checkContainerSecurity(`${path}.securityContext`, objectAt(container, 'securityContext')),
  );
}

/**
 * Refuses whitespace around the image of a container. Applies to Pods only; pod templates are not
 * checked.
 */
export function checkExactImages(field: string, containers: readonly JsonObject[]): readonly FieldError[] {
  return checkEach(field, containers, (container, path) => {
    const image = stringAt(container, 'image');
    return image.trim() === image
      ? noErrors
      : [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
  });
}

function portErrors(field: string, ports: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, ports, (port, path) => {
    const name = stringAt(port, 'name');
    const hostPort = numberAt(port, 'hostPort') ?? 0;
    const errors = allErrors(
      name === '' ? noErrors : checkString(`${path}.name`, name, validatePortName),
      name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : noErrors,
      hostPort === 0 ? noErrors : checkPortNumber(`${path}.hostPort`, hostPort),
    );
    seen.add(name);
    return errors;
  });
}

/** Checks that no two containers use the same host port. */
function hostPortErrors(field: string, containers: readonly JsonObject[]): readonly FieldError[] {
  if (!containers.some((container) => objectsAt(container, 'ports').some(takesHostPort))) return noErrors;
  const seen = new Set<string>();
  return checkEach(field, containers, (container, path) =>
    checkEach(`${path}.ports`, objectsAt(container, 'ports'), (port, portPath) => {
      if (!takesHostPort(port)) return noErrors;
      const hostPort = numberAt(port, 'hostPort');
      const identity = `${stringAt(port, 'protocol')}/${stringAt(port, 'hostIP')}/${hostPort}`;
      if (seen.has(identity)) return [duplicate(`${portPath}.hostPort`, identity)];
      seen.add(identity);
      return noErrors;
    }),
  );
}

function takesHostPort(port: JsonObject): boolean {
  return (numberAt(port, 'hostPort') ?? 0) !== 0;
}

/** Checks that ports of pods on the host network have equal `containerPort` and `hostPort`. */
export function checkHostNetworkPorts(field: string, containers: readonly JsonObject[]): readonly FieldError[] {
  return checkEach(field, containers, (container, path) =>
    checkEach(`${path}.ports`, objectsAt(container, 'ports'), (port, portPath) => {
      const number = numberAt(port, 'containerPort') ?? 0;
      return number === (numberAt(port, 'hostPort') ?? 0)
        ? noErrors
        : [invalid(`${portPath}.containerPort`, number, 'must match `hostPort` when `hostNetwork` is true')];
    }),
  );
}
