import type { JsonObject } from '../../../meta/json-value.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/** The state of a pod in few words. */
interface PodSummary {
  /** The phase, or the reason of a container or of the pod: `Running`, `CrashLoopBackOff`. */
  readonly status: string;
  /** Number of ready containers. */
  readonly ready: number;
  /** Restarts of the containers, or of the init containers while these run. */
  readonly restarts: number;
}

/** Summarizes the containers of a pod: of its init containers until all of them have completed. */
export function podSummary(pod: JsonObject): PodSummary {
  const status = objectAt(pod, 'status');
  const summary = initSummary(pod, status) ?? containerSummary(status);
  if (deletionTimestampOf(pod) === '') return summary;
  return { ...summary, status: stringAt(status, 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating' };
}

/** The summary of a pod whose init containers have not completed; undefined for other pods. */
function initSummary(pod: JsonObject, status: JsonObject): PodSummary | undefined {
  let restarts = 0;
  for (const [index, container] of objectsAt(status, 'initContainerStatuses').entries()) {
    restarts += numberAt(container, 'restartCount') ?? 0;
    const state = objectAt(container, 'state');
    if (isSet(state, 'terminated') && exitCodeOf(state) === 0) continue;
    const all = objectsAt(objectAt(pod, 'spec'), 'initContainers').length;
    return { status: `Init:${initReason(state) ?? `${index}/${all}`}`, ready: 0, restarts };
  }
  return undefined;
}

function initReason(state: JsonObject): string | undefined {
  if (isSet(state, 'terminated')) return endOf(objectAt(state, 'terminated'));
  const waiting = stringAt(objectAt(state, 'waiting'), 'reason');
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

function containerSummary(status: JsonObject): PodSummary {
  const containers = objectsAt(status, 'containerStatuses');
  const running = containers.filter(isRunning);
  const restarts = containers.reduce((sum, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0);
  const reason = firstReason(containers) ?? (stringAt(status, 'reason') || stringAt(status, 'phase'));
  const partly = reason === 'Completed' && running.length > 0;
  return { status: partly ? readiness(status) : reason, ready: running.length, restarts };
}

function isRunning(container: JsonObject): boolean {
  const state = objectAt(container, 'state');
  return isTrue(container, 'ready') && isSet(state, 'running') && reasonOf(container) === undefined;
}

/** The state of a pod of which some containers have completed and others still run. */
function readiness(status: JsonObject): string {
  return objectsAt(status, 'conditions').some(isReady) ? 'Running' : 'NotReady';
}

function isReady(condition: JsonObject): boolean {
  return stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True';
}

function firstReason(containers: readonly JsonObject[]): string | undefined {
  const found = containers.find((container) => reasonOf(container) !== undefined);
  return found && reasonOf(found);
}

/** The reason why a container waits or has ended; undefined for others. */
function reasonOf(container: JsonObject): string | undefined {
  const state = objectAt(container, 'state');
  const waiting = stringAt(objectAt(state, 'waiting'), 'reason');
  if (waiting !== '') return waiting;
  return isSet(state, 'terminated') ? endOf(objectAt(state, 'terminated')) : undefined;
}

/** The reason of a container's end, or its signal or exit code. */
function endOf(terminated: JsonObject): string {
  const reason = stringAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

function exitCodeOf(state: JsonObject): number {
  return numberAt(objectAt(state, 'terminated'), 'exitCode') ?? 0;
}
