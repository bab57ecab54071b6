import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { MetricFamily, Sample } from '../metrics/metric-family.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import type { LiveCatalogue } from '../registry/live-catalogue.ts';
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
  const ofEach = (samples: (counts: ResourceCounts) => readonly Sample[]) => () => caches.counts().flatMap(samples);
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
      samples: ofEach((counts) => [{ labels: kindLabels(catalogue, counts), value: counts.watches }]),
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

function kindLabels({ current: { resources } }: LiveCatalogue, { location }: ResourceCounts): Sample['labels'] {
  const stored = resources.find(
    ({ storage }) => storage?.group === location.group && storage.resource === location.resource,
  )?.storage;
  return { group: location.group, version: stored?.version ?? '', kind: stored?.kind ?? '' };
}
