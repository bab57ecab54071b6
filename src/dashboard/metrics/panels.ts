/** The unit of the values of a panel, which says how they are written. */
export type Unit = 'perSecond' | 'seconds' | 'count' | 'bytes' | 'bytesPerSecond' | 'cores';

/** How samples become a value: as they are, as growth a second, or as a quantile of growth. */
type Mode = 'gauge' | 'rate' | { readonly quantile: number };

/** One or more lines of a panel. */
export interface LineRule {
  /** The sample's name; of several the first that the server has. Of a histogram without ending. */
  readonly family: readonly string[];
  readonly mode: Mode;
  /** The label whose values have a line each; without it all samples are one line. */
  readonly by?: string;
  /** The name of the line, or the text before the label's value. */
  readonly name?: string;
  /** The samples that count: label and pattern of its value. */
  readonly only?: Readonly<Record<string, RegExp>>;
  /** False if the rest of a limited number of lines cannot be added up. */
  readonly adds?: boolean;
}

/** A plot of the page of metrics. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** The meaning of the plot, for readers who do not know the families. */
  readonly about: string;
  readonly unit: Unit;
  readonly rules: readonly LineRule[];
}

/** Requests that end after one answer. */
const short = { verb: /^(?!WATCH|CONNECT|PROXY)/ };

/** The plots of the page, in order. Every kube-apiserver has these families too. */
export const panels: readonly Panel[] = [
  {
    id: 'requests',
    title: 'Requests',
    about: 'Requests that ended, by verb.',
    unit: 'perSecond',
    rules: [{ family: ['apiserver_request_total'], mode: 'rate', by: 'verb' }],
  },
  {
    id: 'refusals',
    title: 'Refused and failed requests',
    about: 'Answers with a code from 400 on, by code.',
    unit: 'perSecond',
    rules: [{ family: ['apiserver_request_total'], mode: 'rate', by: 'code', only: { code: /^[45]/ } }],
  },
  {
    id: 'latency',
    title: 'Time of a request',
    about: 'Half of the requests, and 99 of 100, took no longer. Watches are left out.',
    unit: 'seconds',
    rules: [0.5, 0.99].map((quantile) => ({
      family: ['apiserver_request_duration_seconds'],
      mode: { quantile },
      name: `${quantile * 100} %`,
      only: short,
      adds: false,
    })),
  },
  {
    id: 'inflight',
    title: 'Requests in flight',
    about: 'Requests that are being answered, and those that wait for their turn.',
    unit: 'count',
    rules: [
      { family: ['apiserver_current_inflight_requests'], mode: 'gauge', by: 'request_kind' },
      { family: ['apiserver_flowcontrol_current_inqueue_requests'], mode: 'gauge', name: 'waiting' },
    ],
  },
  {
    id: 'watchers',
    title: 'Open watches',
    about: 'Watches that clients have open, by resource.',
    unit: 'count',
    rules: [
      {
        family: ['apiserver_longrunning_requests', 'apiserver_longrunning_gauge'],
        mode: 'gauge',
        by: 'resource',
        only: { verb: /^WATCH$/ },
      },
    ],
  },
  {
    id: 'watch-events',
    title: 'Watch events',
    about: 'Events that were sent to watches, by kind.',
    unit: 'perSecond',
    rules: [{ family: ['apiserver_watch_events_total'], mode: 'rate', by: 'kind' }],
  },
  {
    id: 'watch-bytes',
    title: 'Watch throughput',
    about: 'Bytes of these events, by kind.',
    unit: 'bytesPerSecond',
    rules: [{ family: ['apiserver_watch_events_sizes_sum'], mode: 'rate', by: 'kind' }],
  },
  {
    id: 'cache-objects',
    title: 'Objects in the cache',
    about: 'Stored objects, by resource. A kind that is not cached counts too.',
    unit: 'count',
    rules: [
      {
        family: ['apiserver_storage_objects', 'apiserver_resource_objects', 'etcd_object_counts'],
        mode: 'gauge',
        by: 'resource',
      },
    ],
  },
  {
    id: 'cache-ended',
    title: 'Watches ended by the cache',
    about: 'Watches whose client read too slowly, by resource.',
    unit: 'perSecond',
    rules: [{ family: ['apiserver_terminated_watchers_total'], mode: 'rate', by: 'resource' }],
  },
  {
    id: 'token-cache',
    title: 'Cache of tokens',
    about: 'Requests whose token was known (hit) or was checked (miss).',
    unit: 'perSecond',
    rules: [{ family: ['authentication_token_cache_request_total'], mode: 'rate', by: 'status' }],
  },
  {
    id: 'etcd-requests',
    title: 'Requests to etcd',
    about: 'Requests of this server to etcd, by operation.',
    unit: 'perSecond',
    rules: [{ family: ['etcd_request_duration_seconds_count'], mode: 'rate', by: 'operation' }],
  },
  {
    id: 'etcd-latency',
    title: 'Time of etcd',
    about: '99 of 100 requests to etcd took no longer, by operation.',
    unit: 'seconds',
    rules: [{ family: ['etcd_request_duration_seconds'], mode: { quantile: 0.99 }, by: 'operation', adds: false }],
  },
  {
    id: 'etcd-size',
    title: 'Size of etcd',
    about: 'Bytes of the database file. etcd refuses writes at its quota.',
    unit: 'bytes',
    rules: [
      {
        family: [
          'etcd_db_total_size_in_bytes',
          'apiserver_storage_size_bytes',
          'apiserver_storage_db_total_size_in_bytes',
        ],
        mode: 'gauge',
        name: 'database',
        adds: false,
      },
    ],
  },
  {
    id: 'cpu',
    title: 'CPU',
    about: 'Processor time of the server; 1 is one core.',
    unit: 'cores',
    rules: [{ family: ['process_cpu_seconds_total'], mode: 'rate', name: 'cores' }],
  },
  {
    id: 'memory',
    title: 'Memory',
    about: 'Memory of the process, and the part of it that holds values of the program.',
    unit: 'bytes',
    rules: [
      { family: ['process_resident_memory_bytes'], mode: 'gauge', name: 'resident' },
      { family: ['nodejs_heap_size_used_bytes', 'go_memstats_heap_inuse_bytes'], mode: 'gauge', name: 'heap' },
    ],
  },
];

/** The names of all samples that panels use; histograms are read as their buckets. */
export const panelFamilies: ReadonlySet<string> = new Set([
  'process_start_time_seconds',
  ...panels.flatMap(({ rules }) => rules.flatMap(({ family, mode }) => family.map((name) => sampleName(name, mode)))),
]);

/** The name of the samples of a family. */
export function sampleName(family: string, mode: Mode): string {
  return typeof mode === 'object' ? `${family}_bucket` : family;
}
