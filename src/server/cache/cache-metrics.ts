import type { MetricDescription, MetricFamily, Sample } from '../../metrics/metric-family.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { StorageDefinition } from '../../registry/definition/resource-definition.ts';
import type { ResourceCounts, WatchCache } from '../../storage/cache/watch-cache.ts';
import { resourceSegment } from '../../storage/port/object-key.ts';

/** The counts of a resource, with its storage version. */
interface StoredCounts extends ResourceCounts {
  readonly storage: StorageDefinition;
}

/** A family with one sample for each resource; undefined: no sample. */
interface CountFamily extends MetricDescription {
  readonly type: MetricFamily['type'];
  readonly value: (counts: StoredCounts) => number | undefined;
}

const gauge = 'gauge';
const counter = 'counter';

/** The first release that has separate labels for group and resource. */
const divided = '1.34';

const watchCache = 'apiserver_watch_cache';

/** The families with separate labels. */
const families: readonly CountFamily[] = [
  {
    name: 'apiserver_terminated_watchers_total',
    help: 'Counter of watchers closed due to unresponsiveness broken by resource type.',
    type: counter,
    value: ({ cutWatches }) => cutWatches,
  },
  {
    name: 'apiserver_storage_decode_errors_total',
    help: 'Number of stored object decode errors split by object type',
    type: counter,
    value: ({ decodeErrors }) => decodeErrors || undefined,
  },
  {
    name: 'apiserver_init_events_total',
    help: 'Counter of init events processed in watch cache broken by resource type.',
    type: counter,
    value: ({ initialEvents }) => initialEvents,
  },
  {
    name: 'watch_cache_capacity',
    help: 'Total capacity of watch cache broken by resource type.',
    type: gauge,
    value: ({ capacity }) => capacity || undefined,
  },
  {
    name: 'apiserver_storage_events_received_total',
    help: 'Number of etcd events received split by kind.',
    type: counter,
    since: '1.27',
    value: ({ events, revision }) => (revision > 0 ? events : undefined),
  },
  {
    name: `${watchCache}_events_received_total`,
    help: 'Counter of events received in watch cache broken by resource type.',
    type: counter,
    since: '1.27',
    value: ({ events, revision }) => (revision > 0 ? events : undefined),
  },
  {
    name: `${watchCache}_events_dispatched_total`,
    help: 'Counter of events dispatched in watch cache broken by resource type.',
    type: counter,
    since: '1.25',
    value: ({ events, revision }) => (revision > 0 ? events : undefined),
  },
  {
    name: `${watchCache}_initializations_total`,
    help: 'Counter of watch cache initializations broken by resource type.',
    type: counter,
    since: '1.25',
    value: ({ fills }) => fills || undefined,
  },
  {
    name: `${watchCache}_resource_version`,
    help: 'Current resource version of watch cache broken by resource type. This is truncated to the 15 least significant digits.',
    type: gauge,
    merge: 'largest',
    since: '1.33',
    value: ({ revision }) => (revision > 0 ? revision % 1e15 : undefined),
  },
];

/** The metrics of stored resources and their caches. */
export function cacheMetrics(caches: WatchCache, catalogue: LiveCatalogue): readonly MetricFamily[] {
  const ofEach = (samples: (counts: StoredCounts) => readonly Sample[]) => () =>
    storedCounts(caches, catalogue).flatMap(samples);
  const ofValues = (value: CountFamily['value'], labels: (counts: StoredCounts) => Sample['labels']) =>
    ofEach((counts) => {
      const shown = value(counts);
      return shown === undefined ? [] : [{ labels: labels(counts), value: shown }];
    });
  const objects: Pick<MetricFamily, 'help' | 'type' | 'merge' | 'labelNames' | 'samples'> = {
    help: 'Number of stored objects at the time of last check split by kind.',
    type: gauge,
    merge: 'largest',
    labelNames: ['resource'],
    samples: ofValues(({ objects: count }) => count, resourceLabel),
  };
  const list = (name: string, labelNames: readonly string[]): Omit<MetricFamily, 'help' | 'samples'> => ({
    name: `apiserver_cache_list_${name}`,
    type: counter,
    since: divided,
    labelNames,
  });
  return [
    { ...objects, name: 'apiserver_storage_objects', stability: 'STABLE', deprecated: divided },
    {
      ...objects,
      name: 'apiserver_resource_objects',
      since: divided,
      labelNames: ['group', 'resource'],
      samples: ofValues(({ objects: count }) => count, groupAndResource),
    },
    { ...objects, name: 'etcd_object_counts', deprecated: '1.22' },
    {
      name: 'apiserver_registered_watchers',
      help: 'Number of currently registered watchers for a given resources',
      type: gauge,
      labelNames: ['group', 'version', 'kind'],
      samples: ofValues(({ watches }) => watches, kindLabels),
    },
    ...families.flatMap(({ value, ...family }) => [
      { ...family, until: divided, labelNames: ['resource'], samples: ofValues(value, resourceLabel) },
      {
        ...family,
        since: divided,
        labelNames: ['group', 'resource'],
        samples: ofValues(value, groupAndResource),
      },
    ]),
    {
      ...list('total', ['group', 'resource', 'index']),
      help: 'Number of LIST requests served from watch cache',
      samples: ofValues(({ lists }) => lists || undefined, withoutIndex),
    },
    {
      ...list('returned_objects_total', ['group', 'resource']),
      help: 'Number of objects returned for a LIST request from watch cache',
      samples: ofValues(({ lists, listedObjects }) => (lists > 0 ? listedObjects : undefined), groupAndResource),
    },
    {
      name: 'apiserver_storage_consistency_checks_total',
      help: 'Number of comparisons of the watch cache with the store, by resource and status; error: not completed.',
      type: counter,
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

/** The label of a resource as in kube-apiserver: `pods`, `deployments.apps`. */
function resourceLabel({ location }: ResourceCounts): { readonly resource: string } {
  return { resource: resourceSegment(location) };
}

function groupAndResource({ location: { group, resource } }: ResourceCounts): Sample['labels'] {
  return { group, resource };
}

function withoutIndex({ location: { group, resource } }: ResourceCounts): Sample['labels'] {
  return { group, resource, index: '' };
}

function kindLabels({ storage: { group, version, kind } }: StoredCounts): Sample['labels'] {
  return { group, version, kind };
}

const unused: Omit<ResourceCounts, 'location'> = Object.freeze({
  objects: 0,
  watches: 0,
  cutWatches: 0,
  decodeErrors: 0,
  initialEvents: 0,
  capacity: 0,
  events: 0,
  fills: 0,
  lists: 0,
  listedObjects: 0,
  revision: 0,
  comparisons: { success: 0, failure: 0, error: 0 },
});

/** Returns the counts of every stored resource; zero if a resource was never read. */
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
