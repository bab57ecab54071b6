import type { JsonObject } from '../../../../meta/json-value.ts';
import { itemsAt, partAt, textAt } from '../describe/parts/values.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** The reasons why the containers of a pod are not ready. */
export function containerStates(subject: Subject): Finding[] {
  const { object } = subject;
  const phase = textAt(object, 'status.phase');
  if (textAt(object, 'metadata.deletionTimestamp') !== '' || phase === 'Succeeded') return [];
  const statuses = ['status.initContainerStatuses', 'status.containerStatuses'].flatMap((path) =>
    itemsAt(object, path),
  );
  const findings = statuses.flatMap((status) => stateFinding(subject, status));
  if (findings.length > 0 || phase !== 'Failed') return findings;
  const says = `It has failed: ${textAt(object, 'status.message') || textAt(object, 'status.reason') || 'no reason is given'}.`;
  return [{ says, next: `cl describe pod ${subject.name}${inNamespace(subject)}` }];
}

function stateFinding(subject: Subject, status: JsonObject): Finding[] {
  const container = textAt(status, 'name');
  const waiting = partAt(status, 'state.waiting');
  const reason = textAt(waiting, 'reason');
  if (/ImagePull|InvalidImage|ImageInspect|RegistryUnavailable|ImageNeverPull/.test(reason)) {
    return [
      {
        says: `The image ${textAt(status, 'image')} of container ${container} cannot be pulled (${reason}). ${textAt(waiting, 'message')}`.trim(),
        next: 'check the name and the tag of the image, its registry, and spec.imagePullSecrets',
      },
    ];
  }
  const terminated = partAt(status, 'state.terminated');
  const last = Object.keys(terminated).length > 0 ? terminated : partAt(status, 'lastState.terminated');
  const logs = `cl logs ${subject.name}${inNamespace(subject)} -c ${container}`;
  if (reason === 'CrashLoopBackOff' || isFailure(terminated)) {
    const previous = reason === 'CrashLoopBackOff' ? ' --previous' : '';
    return [{ says: `Container ${container} ${exitText(last, status)}.`, next: `${logs}${previous}` }];
  }
  if (reason !== '' && !/^(PodInitializing|ContainerCreating)$/.test(reason)) {
    const says = `Container ${container} waits: ${reason}. ${textAt(waiting, 'message')}`.trim();
    return [{ says, next: `cl describe pod ${subject.name}${inNamespace(subject)}` }];
  }
  if (status.ready === false && Object.keys(partAt(status, 'state.running')).length > 0) {
    return [{ says: `Container ${container} runs but its readiness probe does not succeed.`, next: logs }];
  }
  return [];
}

function isFailure(terminated: JsonObject): boolean {
  return Object.keys(terminated).length > 0 && textAt(terminated, 'exitCode') !== '0';
}

function exitText(last: JsonObject, status: JsonObject): string {
  const code = textAt(last, 'exitCode') || 'unknown';
  const reason = textAt(last, 'reason');
  const killed = reason === 'OOMKilled' ? ': it used more memory than its limit' : '';
  const times = textAt(status, 'restartCount') || '0';
  return `ended with code ${code}${reason ? ` (${reason})` : ''}${killed}; it was restarted ${times} times`;
}
