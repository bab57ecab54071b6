import { serverId } from '../../config/server-id.ts';
import { contentHash } from '../../config/content-hash.ts';
import { counterVector, gaugeVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** The metrics of a configuration file that is reloaded while the server runs. */
export interface ReloadMetrics {
  /** Records the hash of the content in use. */
  inUse(hash: string): void;
  reloaded(outcome: 'success' | 'failure'): void;
}

/** Creates the metrics of a configuration file and registers their families. */
export function createReloadMetrics(
  registry: MetricsRegistry,
  area: 'authentication' | 'authorization' | 'encryption',
): ReloadMetrics {
  const id = contentHash(serverId());
  const prefix = `apiserver_${area}_config_controller`;
  const split = `${area} configuration split by status and apiserver identity.`;
  const labels = ['status', 'apiserver_id_hash'];
  const total = counterVector(
    { name: `${prefix}_automatic_reloads_total`, help: `Total number of automatic reloads of ${split}` },
    labels,
  );
  const last = gaugeVector(
    {
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: `Timestamp of the last automatic reload of ${split}`,
      merge: 'largest',
    },
    labels,
  );
  const info = gaugeVector(
    {
      name: `${prefix}_last_config_info`,
      help: `Information about the last applied ${area} configuration with hash as label, split by apiserver identity.`,
      merge: 'largest',
    },
    ['apiserver_id_hash', 'hash'],
  );
  registry.register(total, last, info);
  return {
    inUse(hash) {
      info.forget(() => true);
      info.with(id, hash).value = 1;
    },
    reloaded(outcome) {
      total.with(outcome, id).add();
      last.with(outcome, id).value = Date.now() / 1000;
    },
  };
}
