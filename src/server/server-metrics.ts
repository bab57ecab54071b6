import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { MetricFamily, Sample } from '../metrics/metric-family.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import type { LiveCatalogue } from '../registry/live-catalogue.ts';
import type { StorageDefinition } from '../registry/resource-definition.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import type { ResourceCounts, WatchCache } from '../storage/cache/watch-cache.ts';

type Family = Omit<MetricFamily, 'stability'>;

/** The metrics of a server, with the names and help texts of kube-apiserver where it has them. */
export function serverMetrics(caches: WatchCache, catalogue: LiveCatalogue): MetricsRegistry {
  const registry = new MetricsRegistry();
  registry.register(...processMetrics);
  for (const family of cacheMetrics(caches, catalogue)) registry.register({ ...family, stability: 'ALPHA' });
  return registry;
}

function cacheMetrics(caches: WatchCache, catalogue: LiveCatalogue): Family[] {
  const ofEach = (samples: (counts: StoredCounts) => readonly Sample[]) => () =>
    storedCounts(caches, catalogue).flatMap(samples);
  return [
    {
      name: 'apiserver_storage_objects',
      help: 'Number of stored objects at the time of last check split by kind.',
      type: 'gauge',
      samples: ofEach((counts) => [{ labels: resourceLabel(counts), value: counts.objects }]),
    },
    {
      name: 'apiserver_registered_watchers',
      help: 'Number of currently registered watchers for a given resources',
      type: 'gauge',
      samples: ofEach((counts) => [{ labels: kindLabels(counts), value: counts.watches }]),
    },
    {
      name: 'apiserver_terminated_watchers_total',
      help: 'Counter of watchers closed due to unresponsiveness broken by resource type.',
      type: 'counter',
      samples: ofEach((counts) => [{ labels: resourceLabel(counts), value: counts.cutWatches }]),
    },
    {
      name: 'apiserver_storage_consistency_checks_total',
      help: 'Number of comparisons of the watch cache with the store, by resource and status; error: not completed.',
      type: 'counter',
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
