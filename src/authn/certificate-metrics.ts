import { histogramVector } from '../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';

/** Records client certificates. */
export interface CertificateMetrics {
  /** Records the time that is left to the certificate of a request; negative after its end. */
  remaining(milliseconds: number): void;
}

const hours = [0, 0.5, 1, 2, 6, 12];
const days = [1, 2, 4, 7, 30, 90, 180, 360];

/** Bounds of the histogram in seconds. */
const bounds = [...hours, ...days.map((count) => count * 24)].map((count) => count * 3_600);

/** Creates the metrics of client certificates and registers them, as in kube-apiserver. */
export function createCertificateMetrics(registry: MetricsRegistry): CertificateMetrics {
  const remaining = histogramVector(
    {
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    },
    [],
    bounds,
  );
  registry.register(remaining);
  const series = remaining.with();
  return { remaining: (milliseconds) => series.observe(milliseconds / 1_000) };
}
