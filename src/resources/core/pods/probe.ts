import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validatePortName } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkNotNegative, checkString } from '../../rules/check.ts';
import { checkPortNumber } from '../../rules/port.ts';
import { checkOnlyOne } from './reference.ts';

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** The probes of a container; all but the one for readiness end with their first success. */
export function checkProbes(container: JsonObject, path: string): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    if (!isSet(container, name)) return [];
    const probe = objectAt(container, name);
    const successes = numberAt(probe, 'successThreshold') ?? 1;
    return [
      ...checkHandler(`${path}.${name}`, probe),
      ...counts.flatMap((count) => checkNotNegative(`${path}.${name}.${count}`, numberAt(probe, count))),
      ...(name !== 'readinessProbe' && successes !== 1
        ? [invalid(`${path}.${name}.successThreshold`, successes, 'must be 1')]
        : []),
    ];
  });
}

/** What runs when a container has started and before it stops. */
export function checkLifecycle(field: string, lifecycle: JsonObject): FieldError[] {
  return ['postStart', 'preStop'].flatMap((name) =>
    isSet(lifecycle, name) ? checkHandler(`${field}.${name}`, objectAt(lifecycle, name)) : [],
  );
}

const handlers: readonly (readonly [name: string, check: (handler: JsonObject, path: string) => FieldError[]])[] = [
  ['exec', (exec, path) => (stringsAt(exec, 'command').length === 0 ? [required(`${path}.command`)] : [])],
  ['httpGet', httpErrors],
  ['tcpSocket', (socket, path) => portErrors(`${path}.port`, socket)],
  ['grpc', (grpc, path) => checkPortNumber(`${path}.port`, numberAt(grpc, 'port') ?? 0)],
];

function checkHandler(path: string, parent: JsonObject): FieldError[] {
  const names = handlers.map(([name]) => name);
  const given = handlers.filter(([name]) => isSet(parent, name));
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  const [first] = given;
  return [
    ...(first ? first[1](objectAt(parent, first[0]), `${path}.${first[0]}`) : []),
    ...checkOnlyOne(path, parent, names, 'handler type'),
  ];
}

const schemes = ['HTTP', 'HTTPS'];
const headerPattern = /^[-A-Za-z0-9]+$/;

function httpErrors(http: JsonObject, path: string): FieldError[] {
  const scheme = stringAt(http, 'scheme');
  return [
    ...(stringAt(http, 'path') === '' ? [required(`${path}.path`)] : []),
    ...portErrors(`${path}.port`, http),
    ...(schemes.includes(scheme) ? [] : [notSupported(`${path}.scheme`, scheme, schemes)]),
    ...checkEach(`${path}.httpHeaders`, objectsAt(http, 'httpHeaders'), (header) =>
      checkString(`${path}.httpHeaders`, stringAt(header, 'name'), headerMessages),
    ),
  ];
}

function headerMessages(name: string): string[] {
  return headerPattern.test(name)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for " +
          `validation is '${headerPattern.source.slice(1, -1)}')`,
      ];
}

function portErrors(field: string, action: JsonObject): FieldError[] {
  const port = getOwn(action, 'port');
  return typeof port === 'string'
    ? checkString(field, port, validatePortName)
    : checkPortNumber(field, Number(port ?? 0));
}
