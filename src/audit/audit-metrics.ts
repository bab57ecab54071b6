import { type Counter, counterVector, seriesByLabel } from '../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { AuditLevel } from './audit-event.ts';

/** The parts of auditing that can lose events. */
export type AuditPlugin = 'log' | 'webhook' | 'buffered' | 'truncate';

/** The metrics of auditing, by the names of kube-apiserver. */
export interface AuditMetrics {
  /** Events that were recorded. */
  readonly events: Counter;
  /** Requests that were refused because their event could not be recorded. */
  readonly rejected: Counter;
  /** Returns the counter of requests at a level. */
  readonly level: (level: AuditLevel) => Counter;
  /** Returns the counter of lost events. */
  readonly errors: (plugin: AuditPlugin) => Counter;
}

/** Creates the metrics and registers their families. */
export function createAuditMetrics(registry: MetricsRegistry): AuditMetrics {
  const family = (name: string, help: string, labels: readonly string[]) => {
    const vector = counterVector({ name: `apiserver_audit_${name}`, help }, labels);
    registry.register(vector);
    return vector;
  };
  const events = family('event_total', 'Counter of audit events generated and sent to the audit backend.', []);
  const errors = family(
    'error_total',
    'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
    ['plugin'],
  );
  const rejected = family(
    'requests_rejected_total',
    'Counter of apiserver requests rejected due to an error in audit logging backend.',
    [],
  );
  const levels = family('level_total', 'Counter of policy levels for audit events (1 per request).', ['level']);
  return {
    events: events.with(),
    rejected: rejected.with(),
    level: seriesByLabel(levels),
    errors: seriesByLabel(errors),
  };
}
