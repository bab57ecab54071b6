import type { MetricDescription } from '../metrics/metric-family.ts';
import { counterVector, gaugeVector, histogramVector } from '../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';

/** Records the use of the caches of verified tokens. */
export interface TokenCacheMetrics {
  /** Records a request that found its token, whose look-up began at `startMs`. */
  hit(startMs: number): void;
  /** Records a request that waits for a verification. Returns the recorder of its end. */
  blocked(startMs: number): () => void;
  /** Records a verification. Returns the recorder of its end; false: the token is invalid. */
  fetching(): (ok: boolean) => void;
}

const prefix = 'authentication_token_cache_';
const families: Readonly<Record<'requests' | 'durations' | 'fetches' | 'active', MetricDescription>> = {
  requests: { name: `${prefix}request_total`, help: 'Look-ups of the token cache.' },
  durations: { name: `${prefix}request_duration_seconds`, help: 'Time of look-ups.' },
  fetches: { name: `${prefix}fetch_total`, help: 'Verifications of tokens.' },
  active: {
    name: `${prefix}active_fetch_count`,
    help: 'Running verifications, and requests that wait for them.',
  },
};
const labels = ['status'];

/** The default bounds of Prometheus, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics of the token caches and registers their families, as in kube-apiserver. */
export function createTokenCacheMetrics(registry: MetricsRegistry): TokenCacheMetrics {
  const requests = counterVector(families.requests, labels);
  const durations = histogramVector(families.durations, labels, bounds);
  const fetches = counterVector(families.fetches, labels);
  const active = gaugeVector(families.active, labels);
  registry.register(requests, durations, fetches, active);
  const seriesOf = (status: string) => ({ count: requests.with(status), duration: durations.with(status) });
  const series = { hit: seriesOf('hit'), miss: seriesOf('miss') };
  const [blocked, inFlight] = [active.with('blocked'), active.with('in_flight')];
  const record = ({ count, duration }: ReturnType<typeof seriesOf>, startMs: number): void => {
    count.add();
    duration.observe((performance.now() - startMs) / 1_000);
  };
  return {
    hit: (startMs) => record(series.hit, startMs),
    blocked(startMs) {
      blocked.value++;
      return () => {
        blocked.value--;
        record(series.miss, startMs);
      };
    },
    fetching() {
      inFlight.value++;
      return (ok) => {
        inFlight.value--;
        fetches.with(ok ? 'ok' : 'error').add();
      };
    },
  };
}
