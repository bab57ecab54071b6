import type { MetricFamily } from '../../metrics/metric-family.ts';
import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';

/** The transports to a proxy, and the stages at which a connection through it can fail. */
type Transport = 'tcp' | 'uds';
type Stage = 'connect' | 'proxy';

/** Counts and measures connections through the proxies of egress selections. */
export interface EgressMetrics {
  readonly families: readonly MetricFamily[];
  started(transport: Transport): void;
  opened(transport: Transport, seconds: number): void;
  failed(transport: Transport, stage: Stage): void;
}

const protocol = 'http_connect';
const bucketSeconds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** Creates the metrics, with the names of kube-apiserver. */
export function createEgressMetrics(): EgressMetrics {
  const starts = counterVector(
    {
      name: 'apiserver_egress_dialer_dial_start_total',
      help: 'Connections that were begun through a proxy, by the protocol of the proxy and its transport.',
    },
    ['protocol', 'transport'],
  );
  const durations = histogramVector(
    {
      name: 'apiserver_egress_dialer_dial_duration_seconds',
      help: 'Time until a connection through a proxy was open, by the protocol of the proxy and its transport.',
    },
    ['protocol', 'transport'],
    bucketSeconds,
  );
  const failures = counterVector(
    {
      name: 'apiserver_egress_dialer_dial_failure_count',
      help: 'Connections through a proxy that failed, by the protocol of the proxy, its transport, and the stage.',
    },
    ['protocol', 'transport', 'stage'],
  );
  return {
    families: [starts, durations, failures],
    started: (transport) => starts.with(protocol, transport).add(),
    opened: (transport, seconds) => durations.with(protocol, transport).observe(seconds),
    failed: (transport, stage) => failures.with(protocol, transport, stage).add(),
  };
}
