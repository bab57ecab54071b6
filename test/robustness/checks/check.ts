import type { EventLog } from '../event-log.ts';
import type { Finding, History, Operation, WatchRecord } from '../history.ts';
import { RealTime } from '../real-time.ts';

/** What every check looks at: what clients saw, what etcd told, and what the clock says about both. */
export interface Evidence {
  readonly history: History;
  readonly log: EventLog;
  readonly time: RealTime;
}

/** One promise, checked on the whole history. */
export type Check = (evidence: Evidence) => Finding[];

/** Puts the evidence together. */
export function evidenceOf(history: History, log: EventLog): Evidence {
  return { history, log, time: new RealTime(history, log) };
}

/** An operation in a message. */
export function describeOperation(operation: Operation): string {
  const { client, verb, key, status, reason, object, mark } = operation;
  const what = [key, mark && `mark ${mark}`, object && `revision ${object.revision}`].filter(Boolean).join(', ');
  return `${client} ${verb} ${what}: ${status} ${reason}`.trim();
}

/** A watch in a message. */
export function toldWatch({ client, start, scope }: WatchRecord): string {
  const where = [scope.namespace, scope.name, scope.color].map((part) => part || '*').join('/');
  const from = start.kind === 'after' ? `after ${start.revision}` : 'from the state';
  return `${client} watch of ${where} ${from}`;
}
