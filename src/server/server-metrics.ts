import type { Logger } from 'pino';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { knownFeatures } from '../config/feature-gates.ts';
import { nodeMetrics } from '../metrics/node-metrics.ts';
import { type ApiRelease, isSince } from '../scheme/api-release.ts';
import { versionInfo } from '../config/version-info.ts';
import { counterVector } from '../metrics/metric-vector.ts';
import type { AllowedLabels } from '../metrics/allowed-labels.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { MetricFamily, Sample } from '../metrics/metric-family.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import type { LiveCatalogue } from '../registry/definition/live-catalogue.ts';
import type { StorageDefinition } from '../registry/definition/resource-definition.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import type { ResourceCounts, WatchCache } from '../storage/cache/watch-cache.ts';

/** The content of `/metrics` and of `/metrics/slis`. */
interface ServerMetrics {
  readonly metrics: MetricsRegistry;
  readonly slis: MetricsRegistry;
}

/**
 * Creates the metrics of a server, with the metrics of its process, and its service level
 * indicators. The names and help texts are as in kube-apiserver where it has them.
 */
export function createMetrics(options: ServerOptions, log: Logger, allowedLabels: AllowedLabels): ServerMetrics {
  const { emulatedRelease: release, showHiddenMetricsForVersion, disabledMetrics: disabled } = options;
  const metrics = new MetricsRegistry({
    ...ofAllProcesses(options),
    release,
    disabled,
    allowedLabels,
    showHidden: showHiddenMetricsForVersion !== undefined,
    onDeprecated: ({ name, deprecated }) => log.debug(`the metric ${name} is deprecated since ${deprecated}`),
  });
  metrics.register(...processMetrics, ...nodeMetrics(), buildInfo(identifiersOf(options.identifiers), release));
  if (isSince(release, '1.26')) metrics.register(featureMetric(identifiersOf(options.identifiers), options));
  const slis = new MetricsRegistry({ ...ofAllProcesses(options), disabled, allowedLabels });
  options.siblings?.offerMetrics(() => [...metrics.snapshot(), ...slis.snapshot()]);
  return { metrics, slis };
}

function ofAllProcesses({ siblings }: ServerOptions) {
  return siblings ? { gather: () => siblings.gatherMetrics() } : {};
}

function buildInfo({ product }: Identifiers, release: ApiRelease): MetricFamily {
  const version = versionInfo(release);
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = version;
  const labels = {
    major,
    minor,
    git_version: gitVersion,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  };
  return {
    name: `${product}_build_info`,
    help: "A metric with a constant '1' value labeled by the fields of /version.",
    type: 'gauge',
    merge: 'largest',
    labelNames: Object.keys(labels),
    samples: () => [{ labels, value: 1 }],
  };
}

/** The stages of features in metrics. A stable feature has none. */
const stageLabels = { alpha: 'ALPHA', beta: 'BETA', ga: '', deprecated: 'DEPRECATED' } as const;

/** The feature gates of the release; made for each reader, because they are many. */
function featureMetric({ product }: Identifiers, options: ServerOptions): MetricFamily {
  return {
    name: `${product}_feature_enabled`,
    help: 'This metric records the data about the stage and enablement of a k8s feature.',
    stability: 'BETA',
    type: 'gauge',
    merge: 'largest',
    labelNames: ['name', 'stage'],
    samples: () =>
      knownFeatures(options).map(({ name, stage, isOn }) => {
        return { labels: { name, stage: stageLabels[stage] }, value: isOn ? 1 : 0 };
      }),
  };
}

/** The metrics of the stored resources and their caches. */
export function cacheMetrics(caches: WatchCache, catalogue: LiveCatalogue): readonly MetricFamily[] {
  const ofEach = (samples: (counts: StoredCounts) => readonly Sample[]) => () =>
    storedCounts(caches, catalogue).flatMap(samples);
  const objects: Pick<MetricFamily, 'help' | 'type' | 'merge' | 'labelNames' | 'samples'> = {
    help: 'Number of stored objects at the time of last check split by kind.',
    type: 'gauge',
    merge: 'largest',
    labelNames: ['resource'],
    samples: ofEach((counts) => [{ labels: resourceLabel(counts), value: counts.objects }]),
  };
  return [
    { ...objects, name: 'apiserver_storage_objects', stability: 'STABLE' },
    {
      ...objects,
      name: 'apiserver_resource_objects',
      since: '1.34',
      labelNames: ['group', 'resource'],
      samples: ofEach(({ location: { group, resource }, objects: value }) => [{ labels: { group, resource }, value }]),
    },
    { ...objects, name: 'etcd_object_counts', deprecated: '1.22' },
    {
      name: 'apiserver_registered_watchers',
      help: 'Number of currently registered watchers for a given resources',
      type: 'gauge',
      labelNames: ['group', 'version', 'kind'],
      samples: ofEach((counts) => [{ labels: kindLabels(counts), value: counts.watches }]),
    },
    {
      name: 'apiserver_terminated_watchers_total',
      help: 'Counter of watchers closed due to unresponsiveness broken by resource type.',
      type: 'counter',
      labelNames: ['resource'],
      samples: ofEach((counts) => [{ labels: resourceLabel(counts), value: counts.cutWatches }]),
    },
    {
      name: 'apiserver_storage_decode_errors_total',
      help: 'Number of stored object decode errors split by object type',
      type: 'counter',
      labelNames: ['resource'],
      samples: ofEach((counts) =>
        counts.decodeErrors > 0 ? [{ labels: resourceLabel(counts), value: counts.decodeErrors }] : [],
      ),
    },
    {
      name: 'apiserver_init_events_total',
      help: 'Counter of init events processed in watch cache broken by resource type.',
      type: 'counter',
      labelNames: ['resource'],
      samples: ofEach((counts) => [{ labels: resourceLabel(counts), value: counts.initialEvents }]),
    },
    {
      name: 'watch_cache_capacity',
      help: 'Total capacity of watch cache broken by resource type.',
      type: 'gauge',
      labelNames: ['resource'],
      samples: ofEach((counts) =>
        counts.capacity > 0 ? [{ labels: resourceLabel(counts), value: counts.capacity }] : [],
      ),
    },
    {
      name: 'apiserver_storage_consistency_checks_total',
      help: 'Number of comparisons of the watch cache with the store, by resource and status; error: not completed.',
      type: 'counter',
      labelNames: ['group', 'resource', 'status'],
      samples: ofEach(({ location, comparisons }) =>
        Object.entries(comparisons).map(([status, value]) => {
          const { group, resource } = location;
          return { labels: { group, resource, status }, value };
        }),
      ),
    },
  ];
}

/** Formats a resource as kube-apiserver does: `pods`, `deployments.apps`. */
function resourceLabel({ location }: ResourceCounts): { readonly resource: string } {
  return { resource: resourceSegment(location) };
}

function kindLabels({ storage: { group, version, kind } }: StoredCounts): Sample['labels'] {
  return { group, version, kind };
}

/** The counts of a resource with its storage version. */
interface StoredCounts extends ResourceCounts {
  readonly storage: StorageDefinition;
}

const unused: Omit<ResourceCounts, 'location'> = Object.freeze({
  objects: 0,
  watches: 0,
  cutWatches: 0,
  decodeErrors: 0,
  initialEvents: 0,
  capacity: 0,
  comparisons: { success: 0, failure: 0, error: 0 },
});

/** Returns the counts of every stored resource; zero for a resource that was never read. */
function storedCounts(caches: WatchCache, { current }: LiveCatalogue): StoredCounts[] {
  const known = new Map(caches.counts().map((counts) => [resourceSegment(counts.location), counts]));
  const stored = current.resources.flatMap(({ storage }) => storage ?? []);
  const bySegment = new Map(stored.map((storage) => [resourceSegment(storage), storage]));
  return [...bySegment].map(([segment, storage]) => ({
    location: storage,
    ...(known.get(segment) ?? unused),
    storage,
  }));
}

/** Registers the counter of failed TLS handshakes; returns the function that counts one. */
export function countHandshakeErrors(metrics: MetricsRegistry): () => void {
  const family = counterVector(
    {
      name: 'apiserver_tls_handshake_errors_total',
      help: "Number of requests dropped with 'TLS handshake error from' error",
    },
    [],
  );
  metrics.register(family);
  const errors = family.with();
  return () => errors.add();
}
