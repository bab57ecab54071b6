import type { Logger } from 'pino';
import { serverId } from '../config/server-id.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { readTracingConfiguration } from '../config/tracing-configuration.ts';
import { counterVector } from '../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Tracing } from '../tracing/span.ts';

/** The least time between log lines about an unreachable collector. */
const logIntervalMs = 60_000;

/** Opens the tracing of a server; undefined if it is not configured. */
export async function openServerTracing(
  options: ServerOptions,
  { metrics, log }: { readonly metrics: MetricsRegistry; readonly log: Logger },
): Promise<Tracing | undefined> {
  const configuration = await readTracingConfiguration(options);
  if (!configuration) return undefined;
  const family = counterVector(
    {
      name: 'apiserver_tracing_spans_lost_total',
      help: 'Number of spans that the collector of traces did not take.',
    },
    [],
  );
  metrics.register(family);
  const lost = family.with();
  let nextLogMs = 0;
  return openTracing({
    ...configuration,
    serviceName: 'apiserver',
    instanceId: serverId(options.identityName),
    onLost(spans, error) {
      lost.add(spans);
      const nowMs = performance.now();
      if (nowMs < nextLogMs) return;
      nextLogMs = nowMs + logIntervalMs;
      log.warn({ err: error.message, spans }, 'spans could not be sent to the collector of traces');
    },
  });
}
