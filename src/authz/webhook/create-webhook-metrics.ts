import type { MetricDescription } from '../../metrics/metric-family.ts';
import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** The result of a call to a webhook. */
export type CallResult = 'success' | 'error' | 'timeout' | 'canceled';

/** Records the calls to the webhooks of a server. */
export interface WebhookMetrics {
  /** Records a call that began at `startMs`. */
  called(name: string, result: CallResult, startMs: number): void;
  /** Records a failed call after which later authorizers decide. */
  failedOpen(name: string, result: CallResult): void;
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const prefix = 'apiserver_authorization_webhook_';
const families: Readonly<Record<'calls' | 'durations' | 'open', MetricDescription>> = {
  calls: { name: `${prefix}evaluations_total`, help: 'Round-trips to authorization webhooks.' },
  durations: { name: `${prefix}duration_seconds`, help: 'Request latency in seconds.' },
  open: {
    name: `${prefix}evaluations_fail_open_total`,
    help: 'NoOpinion results due to webhook timeout or error.',
  },
};
const labels = ['name', 'result'];

/** Creates the metrics of webhooks and registers their families, named as by kube-apiserver. */
export function createWebhookMetrics(registry: MetricsRegistry): WebhookMetrics {
  const calls = counterVector(families.calls, labels);
  const durations = histogramVector(families.durations, labels, bounds);
  const open = counterVector(families.open, labels);
  registry.register(calls, durations, open);
  return {
    called(name, result, startMs) {
      calls.with(name, result).add();
      durations.with(name, result).observe((performance.now() - startMs) / 1_000);
    },
    failedOpen: (name, result) => open.with(name, result).add(),
  };
}
