import type { MaybePromise } from '../async/maybe-promise.ts';
import type { AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import { type AuditAttributes, type AuditDecision, type AuditPolicy, decideAudit } from './policy.ts';

/** Records requests as a policy says, in all backends. */
export interface Auditor {
  /** True if no request is served whose first event is not written in every strict backend. */
  readonly isStrict: boolean;
  /** Decides about a request, and counts it. */
  decide(attributes: AuditAttributes): AuditDecision;
  /** Takes an event, as `AuditBackend.send` does. */
  send(event: AuditEvent): MaybePromise<boolean>;
  /** Writes the events that must be written before a response is sent. */
  flush(): void;
  /** Counts a request that is refused because `send` was false. */
  rejected(): void;
}

/** Creates an auditor. */
export function createAuditor(policy: AuditPolicy, backends: readonly AuditBackend[], metrics: AuditMetrics): Auditor {
  return {
    isStrict: backends.some(({ isStrict }) => isStrict),
    decide(attributes) {
      const decision = decideAudit(policy, attributes);
      metrics.level(decision.level).add();
      return decision;
    },
    send(event) {
      metrics.events.add();
      let isTaken: MaybePromise<boolean> = true;
      for (const backend of backends) isTaken = both(isTaken, backend.send(event));
      return isTaken;
    },
    flush() {
      for (const backend of backends) backend.flush();
    },
    rejected: () => metrics.rejected.add(),
  };
}

function both(one: MaybePromise<boolean>, other: MaybePromise<boolean>): MaybePromise<boolean> {
  if (typeof one === 'boolean' && typeof other === 'boolean') return one && other;
  return Promise.all([one, other]).then((taken) => taken.every(Boolean));
}
