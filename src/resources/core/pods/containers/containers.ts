import type {
  Container,
  PodSpec,
  HTTPGetAction,
  Lifecycle,
  ProbeHandler,
  EnvVar,
  EnvVarSource,
} from '../../../../gen/stored/core-v1.ts';
import {
  validateDnsLabel,
  validatePortName,
  nothingWrong,
  validateDnsSubdomain,
} from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { duplicate } from '../../../../status/field-error.ts';
import { checkPortNumber } from '../../../rules/fields/port.ts';
import { checkContainerResources } from '../../../rules/fields/resource-amounts.ts';
import type { Mountable } from '../volumes/volumes.ts';
import { checkContainerSecurity } from './security-context.ts';
import { checkDevices, checkMounts } from './volume-mount.ts';
import type { IntOrString } from '../../../../gen/stored/intstr-v1.ts';
import { checkNotNegative, checkString } from '../../../rules/fields/check.ts';
import {
  checkFieldReference,
  checkKeyReference,
  checkResourceReference,
  variableFields,
} from '../volumes/reference.ts';

/**
 * Checks the environment variables of a container. A source of several that refers to nothing is
 * reported at the list.
 */
function checkVariables(container: FieldCursor<Container>): void {
  for (const variable of container.each('env')) checkVariable(variable);
  const list = container.at('envFrom');
  for (const source of container.each('envFrom')) {
    source.at('prefix').mustBe(variableNameMessages);
    const given = (['configMapRef', 'secretRef'] as const).filter((name) => source.value[name]);
    for (const reference of given) {
      const name = source.at(reference).at('name');
      name.mustBeSet();
      name.mustBe(validateDnsSubdomain);
    }
    if (given.length === 0) list.reportInvalid('must specify one of: `configMapRef` or `secretRef`', '');
    if (given.length > 1) list.reportInvalid('may not have more than one field specified at a time', '');
  }
}

function checkVariable(variable: FieldCursor<EnvVar>): void {
  variable.at('name').mustBe(variableNameMessages);
  const from = variable.at('valueFrom');
  if (!from.isPresent()) return;
  const count = checkSources(from);
  if (count === 0) from.reportInvalid(noSource, '');
  else if (variable.value.value) from.reportInvalid('may not be specified when `value` is not empty', '');
  else if (count > 1) from.reportInvalid('may not have more than one field specified at a time', '');
}

const noSource = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';

/** Checks the sources of a value. Returns their number. */
function checkSources(from: FieldCursor<EnvVarSource>): number {
  const [field, resource] = [from.at('fieldRef'), from.at('resourceFieldRef')];
  const [configMap, secret] = [from.at('configMapKeyRef'), from.at('secretKeyRef')];
  if (field.isPresent()) checkFieldReference(field, variableFields);
  if (resource.isPresent()) checkResourceReference(resource, false);
  for (const key of [configMap, secret]) if (key.isPresent()) checkKeyReference(key);
  return [field, resource, configMap, secret].filter(({ value }) => value).length;
}

const variableName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const variablePattern = new RegExp(`^${variableName}$`);

function variableNameMessages(name: string): readonly string[] {
  if (!variablePattern.test(name)) {
    return [
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
        "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
        `regex used for validation is '${variableName}')`,
    ];
  }
  if (name === '.') return ["must not be '.'"];
  if (name === '..') return ["must not be '..'"];
  return name.startsWith('..') ? ["must not start with '..'"] : nothingWrong;
}

/**
 * Checks the probes of a container. Only a readiness probe may have a success threshold above 1.
 */
function checkProbes(container: FieldCursor<Container>): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container.at(name);
    if (!probe.isPresent()) continue;
    checkHandler(probe);
    const { value, path, errors } = probe.at('successThreshold');
    // Both errors are reported for a negative number, so the first one is not left to the schema.
    errors.push(...checkNotNegative(path, value));
    if (name !== 'readinessProbe' && value !== 1) probe.at('successThreshold').reportInvalid('must be 1');
  }
}

/** Checks the hooks `postStart` and `preStop` of a container. */
function checkLifecycle(lifecycle: FieldCursor<Lifecycle | undefined>): void {
  for (const name of ['postStart', 'preStop'] as const) {
    const hook = lifecycle.at(name);
    if (hook.isPresent()) checkHandler(hook);
  }
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Checks that there is one handler. Only the first one is checked. */
function checkHandler(parent: FieldCursor<ProbeHandler>): void {
  const [first, ...others] = handlers.filter((name) => parent.value[name]);
  if (first === undefined) parent.reportRequired('must specify a handler type');
  if (first === 'httpGet') checkHttp(parent.at('httpGet'));
  if (first === 'tcpSocket') checkPort(parent.at('tcpSocket').at('port'));
  for (const name of others) parent.at(name).reportForbidden('may not specify more than 1 handler type');
}

function checkHttp(http: FieldCursor<HTTPGetAction | undefined>): void {
  checkPort(http.at('port'));
  for (const header of http.each('httpHeaders')) {
    // Reported at the list, not at the item.
    header.report(...checkString(`${http.path}.httpHeaders`, header.value.name, headerMessages));
  }
}

const headerPattern = /^[-A-Za-z0-9]+$/;

function headerMessages(name: string): readonly string[] {
  return headerPattern.test(name)
    ? nothingWrong
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for " +
          `validation is '${headerPattern.source.slice(1, -1)}')`,
      ];
}

/** Checks the name of a port. The schema checks numbers. */
function checkPort({ value, path, errors }: FieldCursor<IntOrString | undefined>): void {
  if (typeof value === 'string') errors.push(...checkString(path, value, validatePortName));
}

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
 * the names of the containers.
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
