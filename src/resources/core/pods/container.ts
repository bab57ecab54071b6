import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validatePortName } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, notFoundField, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/check.ts';
import { checkPortNumber } from '../../rules/port.ts';
import { isMoreThan } from '../../rules/quantity.ts';

/** The containers of a pod spec: names that differ, images, ports, variables, mounts of volumes that exist. */
export function checkContainers(
  field: string,
  containers: readonly JsonObject[],
  volumes: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, containers, (container, path) => {
    const name = stringAt(container, 'name');
    const errors = [
      ...checkRequiredString(`${path}.name`, name, validateDnsLabel),
      ...(name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...imageErrors(`${path}.image`, stringAt(container, 'image')),
      ...portErrors(`${path}.ports`, objectsAt(container, 'ports')),
      ...checkEach(`${path}.env`, objectsAt(container, 'env'), variableErrors),
      ...mountErrors(`${path}.volumeMounts`, objectsAt(container, 'volumeMounts'), volumes),
      ...resourceErrors(`${path}.resources`, objectAt(container, 'resources')),
    ];
    seen.add(name);
    return errors;
  });
}

function imageErrors(field: string, image: string): FieldError[] {
  if (image === '') return [required(field)];
  return image.trim() === image ? [] : [invalid(field, image, 'must not have leading or trailing whitespace')];
}

function portErrors(field: string, ports: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, ports, (port, path) => {
    const name = stringAt(port, 'name');
    const hostPort = numberAt(port, 'hostPort') ?? 0;
    const containerPort = numberAt(port, 'containerPort') ?? 0;
    const errors = [
      ...(name === '' ? [] : checkString(`${path}.name`, name, validatePortName)),
      ...(name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...(containerPort === 0
        ? [required(`${path}.containerPort`)]
        : checkPortNumber(`${path}.containerPort`, containerPort)),
      ...(hostPort === 0 ? [] : checkPortNumber(`${path}.hostPort`, hostPort)),
    ];
    seen.add(name);
    return errors;
  });
}

function variableErrors(variable: JsonObject, path: string): FieldError[] {
  const name = stringAt(variable, 'name');
  const both = stringAt(variable, 'value') !== '' && isSet(variable, 'valueFrom');
  return [
    ...checkRequiredString(`${path}.name`, name, variableNameMessages),
    ...(both ? [invalid(`${path}.valueFrom`, '', 'may not be specified when `value` is not empty')] : []),
  ];
}

const variableName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const variablePattern = new RegExp(`^${variableName}$`);

function variableNameMessages(name: string): string[] {
  return variablePattern.test(name)
    ? []
    : [
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
          "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
          `regex used for validation is '${variableName}')`,
      ];
}

function mountErrors(field: string, mounts: readonly JsonObject[], volumes: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, mounts, (mount, path) => {
    const name = stringAt(mount, 'name');
    const mountPath = stringAt(mount, 'mountPath');
    const errors = [
      ...(name === '' ? [required(`${path}.name`)] : volumes.has(name) ? [] : [notFoundField(`${path}.name`, name)]),
      ...(mountPath === '' ? [required(`${path}.mountPath`)] : []),
      ...(seen.has(mountPath) ? [invalid(`${path}.mountPath`, mountPath, 'must be unique')] : []),
    ];
    seen.add(mountPath);
    return errors;
  });
}

function resourceErrors(field: string, resources: JsonObject): FieldError[] {
  const limits = objectAt(resources, 'limits');
  return [
    ...amountErrors(`${field}.limits`, resources, 'limits'),
    ...amountErrors(`${field}.requests`, resources, 'requests'),
    ...stringEntriesAt(resources, 'requests')
      .filter(([name, request]) => isSet(limits, name) && isMoreThan(request, stringAt(limits, name)))
      .map(([name, request]) => invalid(`${field}.requests`, request, `must be less than or equal to ${name} limit`)),
  ];
}

function amountErrors(field: string, resources: JsonObject, name: string): FieldError[] {
  return stringEntriesAt(resources, name)
    .filter(([, amount]) => isMoreThan('0', amount))
    .map(([resource, amount]) => invalid(`${field}[${resource}]`, amount, 'must be greater than or equal to 0'));
}
