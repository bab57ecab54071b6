import { contentHash } from '../../config/content-hash.ts';
import { serverId } from '../../config/server-id.ts';
import { memoize } from '../../meta/memoize.ts';
import { counterVector, gaugeVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** Counts reads of the manifests of plugins. */
interface ManifestMetrics {
  reloaded(plugin: string, outcome: 'success' | 'failure'): void;
  /** Records the contents that are in use, by their hash. */
  inUse(plugin: string, hash: string): void;
}

/** The families of manifests, registered once. */
export const manifestMetricsOf = memoize(manifestMetrics);

function manifestMetrics(registry: MetricsRegistry): ManifestMetrics {
  const id = contentHash(serverId());
  const prefix = 'apiserver_manifest_admission_config_controller';
  const split = 'admission manifest configuration split by status, plugin, and apiserver identity.';
  const labels = ['status', 'plugin', 'apiserver_id_hash'];
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
      help: 'Information about the last applied admission manifest configuration with hash as label, split by plugin and apiserver identity.',
      merge: 'largest',
    },
    ['plugin', 'apiserver_id_hash', 'hash'],
  );
  registry.register(total, last, info);
  return {
    reloaded(plugin, outcome) {
      total.with(outcome, plugin, id).add();
      last.with(outcome, plugin, id).value = Date.now() / 1000;
    },
    inUse(plugin, hash) {
      info.forget(({ plugin: owner }) => owner === plugin);
      if (hash !== '') info.with(plugin, id, hash).value = 1;
    },
  };
}
