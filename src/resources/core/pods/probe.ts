import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { validatePortName } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkCounts, checkEach, checkString } from '../../rules/fields/check.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';
import { checkOnlyOne } from './reference.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/**
 * Checks the probes of a container. Only a readiness probe may have a success threshold above 1.
 */
export function checkProbes(container: JsonObject, path: string): readonly FieldError[] {
  return errorsOfEach(probes, (name) => {
    if (!isSet(container, name)) return noErrors;
    const probe = objectAt(container, name);
    const field = `${path}.${name}`;
    const successes = numberAt(probe, 'successThreshold') ?? 1;
    return allErrors(
      checkHandler(field, probe),
      checkCounts(field, probe, counts),
      name !== 'readinessProbe' && successes !== 1
        ? [invalid(`${field}.successThreshold`, successes, 'must be 1')]
        : noErrors,
    );
  });
}

const hooks = ['postStart', 'preStop'];

/** Checks the hooks `postStart` and `preStop` of a container. */
export function checkLifecycle(field: string, lifecycle: JsonObject): readonly FieldError[] {
  return errorsOfEach(hooks, (name) =>
    isSet(lifecycle, name) ? checkHandler(`${field}.${name}`, objectAt(lifecycle, name)) : noErrors,
  );
}

const handlers: readonly (readonly [
  name: string,
  check: (handler: JsonObject, path: string) => readonly FieldError[],
])[] = [
  ['exec', () => noErrors],
  ['httpGet', httpErrors],
  ['tcpSocket', (socket, path) => portErrors(`${path}.port`, socket)],
  ['grpc', (grpc, path) => checkPortNumber(`${path}.port`, numberAt(grpc, 'port') ?? 0)],
];

const handlerNames = handlers.map(([name]) => name);

function checkHandler(path: string, parent: JsonObject): readonly FieldError[] {
  const first = handlers.find(([name]) => isSet(parent, name));
  if (!first) return [required(path, 'must specify a handler type')];
  const [name, check] = first;
  return allErrors(
    check(objectAt(parent, name), `${path}.${name}`),
    checkOnlyOne(path, parent, handlerNames, 'handler type'),
  );
}

const schemes = ['HTTP', 'HTTPS'];
const headerPattern = /^[-A-Za-z0-9]+$/;

function httpErrors(http: JsonObject, path: string): readonly FieldError[] {
  const scheme = stringAt(http, 'scheme');
  return allErrors(
    stringAt(http, 'path') === '' ? [required(`${path}.path`)] : noErrors,
    portErrors(`${path}.port`, http),
    schemes.includes(scheme) ? noErrors : [notSupported(`${path}.scheme`, scheme, schemes)],
    checkEach(`${path}.httpHeaders`, objectsAt(http, 'httpHeaders'), (header) =>
      checkString(`${path}.httpHeaders`, stringAt(header, 'name'), headerMessages),
    ),
  );
}

function headerMessages(name: string): readonly string[] {
  return headerPattern.test(name)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for " +
          `validation is '${headerPattern.source.slice(1, -1)}')`,
      ];
}

function portErrors(field: string, action: JsonObject): readonly FieldError[] {
  const port = getOwn(action, 'port');
  return typeof port === 'string'
    ? checkString(field, port, validatePortName)
    : checkPortNumber(field, Number(port ?? 0));
}
