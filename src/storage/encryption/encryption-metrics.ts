import { performance } from 'node:perf_hooks';
import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Transformer } from './ciphers/transformer.ts';

/** The direction of a transformation. */
type Direction = 'from_storage' | 'to_storage';

/** The metrics of encryption, with the names of kube-apiserver. */
export interface EncryptionMetrics {
  /** Wraps a transformer so that its calls for a resource are measured. */
  measured(transformer: Transformer, resource: string): Transformer;
  /** Counts a value that no transformer can decrypt. */
  unreadable(resource: string): void;
  /** Counts a data key that a plugin had to decrypt. */
  missed(): void;
}

/** The bounds from 5 microseconds to 84 seconds, which include calls of plugins. */
const durationBounds = Array.from({ length: 25 }, (_, index) => 5e-6 * 2 ** index);

/** Creates the metrics and registers their families. */
export function createEncryptionMetrics(registry: MetricsRegistry): EncryptionMetrics {
  const durations = histogramVector(
    {
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'Latencies in seconds of value transformation operations.',
    },
    ['transformation_type', 'transformer_prefix'],
    durationBounds,
  );
  const operations = counterVector(
    {
      name: 'apiserver_storage_transformation_operations_total',
      help: 'Total number of transformations. Successful ones have the status OK.',
    },
    ['resource', 'transformation_type', 'transformer_prefix', 'status'],
  );
  const misses = counterVector(
    {
      name: 'apiserver_storage_envelope_transformation_cache_misses_total',
      help: 'Total number of keys of values that a key management plugin had to decrypt.',
    },
    [],
  );
  registry.register(durations, operations, misses);
  const recorderOf = (direction: Direction, resource: string, provider: string): Recorder => {
    const duration = durations.with(direction, provider);
    const succeeded = operations.with(resource, direction, provider, 'OK');
    return {
      succeeded(startMs) {
        duration.observe((performance.now() - startMs) / 1_000);
        succeeded.add();
      },
      failed: () => operations.with(resource, direction, provider, 'unknown-non-grpc').add(),
    };
  };
  return {
    measured(transformer, resource) {
      const { provider } = transformer;
      const to = recorderOf('to_storage', resource, provider);
      const from = recorderOf('from_storage', resource, provider);
      return {
        ...transformer,
        encrypt(value, key) {
          const startMs = performance.now();
          try {
            return recorded(to, startMs, transformer.encrypt(value, key));
          } catch (error) {
            to.failed();
            throw error;
          }
        },
        decrypt(stored, key) {
          const startMs = performance.now();
          try {
            return recorded(from, startMs, transformer.decrypt(stored, key));
          } catch (error) {
            from.failed();
            throw error;
          }
        },
      };
    },
    unreadable: (resource) => operations.with(resource, 'from_storage', 'unknown', 'unknown-non-grpc').add(),
    missed: () => misses.with().add(),
  };
}

interface Recorder {
  succeeded(startMs: number): void;
  failed(): void;
}

/** Records a call when its result is available. */
function recorded<Result>(recorder: Recorder, startMs: number, result: Result): Result {
  if (!(result instanceof Promise)) {
    recorder.succeeded(startMs);
    return result;
  }
  result.then(
    () => recorder.succeeded(startMs),
    () => recorder.failed(),
  );
  return result;
}
