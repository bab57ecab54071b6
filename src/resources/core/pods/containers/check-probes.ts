import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  ProbeHandler,
  SleepAction,
} from '../../../../gen/stored/core-v1.ts';
import type { IntOrString } from '../../../../gen/stored/intstr-v1.ts';
import { nothingWrong, validatePortName } from '../../../../meta/validate-name.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { checkNotNegative, checkString } from '../../../rules/fields/field-checks.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Checks the probes of a container. Only readiness probes may have a success threshold above 1. */
export function checkProbes(container: FieldCursor<Container>): void {
  for (const name of probes) {
    const probe = container.at(name);
    if (!probe.isPresent()) continue;
    checkHandler(probe);
    const { value, path, errors } = probe.at('successThreshold');
    // Checked here, not in the schema, because both errors are reported for a negative number.
    errors.push(...checkNotNegative(path, value));
    if (name !== 'readinessProbe' && value !== 1) probe.at('successThreshold').reportInvalid('must be 1');
    checkGracePeriod(probe.at('terminationGracePeriodSeconds'), name);
  }
}

/** Checks the termination grace period of a probe, which readiness probes must not have. */
function checkGracePeriod(seconds: FieldCursor<bigint | number | undefined>, probe: (typeof probes)[number]): void {
  if (seconds.value === undefined) return;
  if (Number(seconds.value) <= 0) seconds.reportInvalid('must be greater than 0');
  if (probe === 'readinessProbe') seconds.reportInvalid('must not be set for readinessProbes');
}

/** Checks the lifecycle hooks of a container, and its stop signal. */
export function checkLifecycle(
  lifecycle: FieldCursor<Lifecycle | undefined>,
  spec: PodSpec,
  emulated: EmulatedRelease,
): void {
  for (const name of ['postStart', 'preStop'] as const) {
    const hook = lifecycle.at(name);
    if (!hook.isPresent()) continue;
    checkHandler(hook);
    if (handlersOf(hook.value)[0] === 'sleep') checkSleep(hook.at('sleep'), spec, emulated);
  }
  checkStopSignal(lifecycle.at('stopSignal'), spec.os?.name);
}

/** Checks a sleep, which must end within the grace period of the pod. */
function checkSleep(
  sleep: FieldCursor<SleepAction | undefined>,
  { terminationGracePeriodSeconds: grace }: PodSpec,
  emulated: EmulatedRelease,
): void {
  const seconds = Number(sleep.value?.seconds ?? 0);
  const mayBeZero = emulated.isFeatureEnabled('PodLifecycleSleepActionAllowZero');
  if (seconds > (mayBeZero ? -1 : 0) && seconds <= Number(grace)) return;
  const limit = `less than terminationGracePeriodSeconds (${grace})`;
  const hint = isSince(emulated.release, '1.32')
    ? '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.'
    : '';
  sleep.reportInvalid(
    mayBeZero ? `must be non-negative and ${limit}` : `must be greater than 0 and ${limit}${hint}`,
    seconds,
  );
}

function checkStopSignal(signal: FieldCursor<string | undefined>, os: string | undefined): void {
  if (signal.value === undefined) return;
  if (os === undefined) signal.reportForbidden('may not be set for containers with empty `spec.os.name`');
  else signal.mustBeOneOf(stopSignals[os] ?? [signal.value]);
}

type Handler = ProbeHandler & LifecycleHandler;

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function handlersOf(parent: Handler): readonly (keyof Handler)[] {
  return handlers.filter((name) => parent[name]);
}

/** Checks that there is exactly one handler. Only the first one is validated. */
function checkHandler(parent: FieldCursor<Handler>): void {
  const [first, ...others] = handlersOf(parent.value);
  if (first === undefined) parent.reportRequired('must specify a handler type');
  if (first === 'httpGet') checkHttp(parent.at('httpGet'));
  if (first === 'tcpSocket') checkPort(parent.at('tcpSocket').at('port'));
  for (const name of others) parent.at(name).reportForbidden('may not specify more than 1 handler type');
}

function checkHttp(http: FieldCursor<HTTPGetAction | undefined>): void {
  checkPort(http.at('port'));
  for (const header of http.each('httpHeaders')) {
    // The error is at the list, not at the item.
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

/** Checks a port that is given by name. The schema checks port numbers. */
function checkPort({ value, path, errors }: FieldCursor<IntOrString | undefined>): void {
  if (typeof value === 'string') errors.push(...checkString(path, value, validatePortName));
}

const plain =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP ' +
  'TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';

/** The real-time signals relative to the first and last one. */
const realTime = [
  ...Array.from({ length: 15 }, (_, index) => `RTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `RTMAX-${index + 1}`),
];

/** The stop signals of each operating system. */
const stopSignals: Readonly<Record<string, readonly string[]>> = {
  linux: [...plain.split(' '), ...realTime].map((name) => `SIG${name}`).toSorted(),
  windows: ['SIGKILL', 'SIGTERM'],
};
