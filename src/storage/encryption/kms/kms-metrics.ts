import { createHash } from 'node:crypto';
import { counterVector, gaugeVector, histogramVector } from '../../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../../metrics/metrics-registry.ts';

/** The metrics of a key management plugin. */
export interface PluginMetrics {
  readonly onCall: (method: string, code: string, seconds: number) => void;
  readonly onKeyId: (direction: 'from_storage' | 'to_storage', keyId: string) => void;
  readonly onStatus: (keyId: string, problem: string | undefined) => void;
  /** Records the number of cached seeds. */
  readonly onSeeds: (count: number) => void;
}

const family = 'apiserver_envelope_encryption';

/** The bounds from 100 microseconds to 52 seconds. */
const callBounds = Array.from({ length: 20 }, (_, index) => 1e-4 * 2 ** index);

/**
 * Creates the metrics of key management plugins, with the names of kube-apiserver, and registers
 * their families. `serverHash` identifies the server.
 */
export function createKmsMetrics(registry: MetricsRegistry, serverHash: string): (plugin: string) => PluginMetrics {
  const calls = histogramVector(
    {
      name: `${family}_kms_operations_latency_seconds`,
      help: 'KMS operation duration with gRPC error code status total.',
    },
    ['provider_name', 'method_name', 'grpc_status_code'],
    callBounds,
  );
  const use = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'];
  const uses = counterVector(
    { name: `${family}_key_id_hash_total`, help: 'Number of times a key of a plugin was used.' },
    use,
  );
  const lastUses = gaugeVector(
    {
      name: `${family}_key_id_hash_last_timestamp_seconds`,
      help: 'The last time in seconds when a key of a plugin was used.',
      merge: 'largest',
    },
    use,
  );
  const statuses = gaugeVector(
    {
      name: `${family}_key_id_hash_status_last_timestamp_seconds`,
      help: 'The last time in seconds when a key was returned by the Status call.',
      merge: 'largest',
    },
    ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
  );
  const invalid = counterVector(
    {
      name: `${family}_invalid_key_id_from_status_total`,
      help: 'Number of times an invalid key ID was returned by the Status call, by error.',
    },
    ['provider_name', 'error'],
  );
  const seeds = gaugeVector(
    {
      name: `${family}_dek_source_cache_size`,
      help: 'Number of records in the cache of data encryption key (DEK) sources.',
      merge: 'largest',
    },
    ['provider_name'],
  );
  registry.register(calls, uses, lastUses, statuses, invalid, seeds);
  return (plugin) => ({
    onCall: (method, code, seconds) => calls.with(plugin, method, code).observe(seconds),
    onKeyId(direction, keyId) {
      const labels = [direction, plugin, hashOf(keyId), serverHash];
      uses.with(...labels).add();
      lastUses.with(...labels).value = Date.now() / 1_000;
    },
    onStatus(keyId, problem) {
      if (problem) invalid.with(plugin, keyId === '' ? 'empty' : 'too_long').add();
      else statuses.with(plugin, hashOf(keyId), serverHash).value = Date.now() / 1_000;
    },
    onSeeds: (count) => {
      seeds.with(plugin).value = count;
    },
  });
}

function hashOf(keyId: string): string {
  return keyId === '' ? '' : `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
}
