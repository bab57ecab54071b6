import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Operation } from '../admission.ts';

/** The phases as kube-apiserver names them in these families. */
export type WebhookType = 'admit' | 'validating';

/** The reasons of a rejection (spec 6.3). */
type RejectionError = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

/** A call of a webhook. */
interface WebhookCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: Operation;
}

/** The families of webhooks, for both plugins. */
export interface WebhookMetrics {
  /** Counts a call that ended. `code` is the code of the webhook's answer. */
  called(
    call: WebhookCall,
    result: { readonly seconds: number; readonly isRejected: boolean; readonly code: number },
  ): void;
  rejected(call: WebhookCall, error: RejectionError, code: number): void;
  failedOpen(call: WebhookCall): void;
}

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** Bounds the number of series. */
const mostCode = 600;

const codeHelp = 'Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.';

/** Creates and registers the families (spec 6.3). */
export function webhookMetrics(registry: MetricsRegistry): WebhookMetrics {
  const durations = histogramVector(
    {
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
      stability: 'STABLE',
    },
    ['name', 'operation', 'rejected', 'type'],
    bounds,
  );
  const rejections = counterVector(
    {
      name: 'apiserver_admission_webhook_rejection_count',
      help: `Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). ${codeHelp}`,
    },
    ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  );
  const failOpen = counterVector(
    {
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
    },
    ['name', 'type'],
  );
  const requests = counterVector(
    {
      name: 'apiserver_admission_webhook_request_total',
      help: `Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. ${codeHelp}`,
    },
    ['code', 'name', 'operation', 'rejected', 'type'],
  );
  registry.register(durations, rejections, failOpen, requests);
  return {
    called({ name, type, operation }, { seconds, isRejected, code }) {
      const rejected = String(isRejected);
      durations.with(name, operation, rejected, type).observe(seconds);
      requests.with(shownCode(code), name, operation, rejected, type).add();
    },
    rejected: ({ name, type, operation }, error, code) =>
      rejections.with(error, name, operation, shownCode(code), type).add(),
    failedOpen: ({ name, type }) => failOpen.with(name, type).add(),
  };
}

function shownCode(code: number): string {
  return String(Math.min(code, mostCode));
}
