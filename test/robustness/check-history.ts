import { type Check, evidenceOf } from './checks/check.ts';
import * as reads from './checks/reads.ts';
import * as watches from './checks/watches.ts';
import * as writes from './checks/writes.ts';
import type { EventLog } from './event-log.ts';
import type { Finding, History } from './history.ts';

/** Every check, by its name. */
export const checks: readonly (readonly [string, Check])[] = [writes, reads, watches].flatMap((file) =>
  Object.entries(file),
);

/** All promises that a history breaks, given what etcd told. O(n log n) in operations and events. */
export function checkHistory(history: History, log: EventLog): Finding[] {
  const evidence = evidenceOf(history, log);
  return checks.flatMap(([, check]) => check(evidence));
}
