import type { Container, HTTPGetAction, Lifecycle, ProbeHandler } from '../../../../gen/stored/core-v1.ts';
import type { IntOrString } from '../../../../gen/stored/intstr-v1.ts';
import { nothingWrong, validatePortName } from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { checkNotNegative, checkString } from '../../../rules/fields/check.ts';

/**
 * Checks the probes of a container. Only a readiness probe may have a success threshold above 1.
 */
export function checkProbes(container: FieldCursor<Container>): void {
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
export function checkLifecycle(lifecycle: FieldCursor<Lifecycle | undefined>): void {
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
