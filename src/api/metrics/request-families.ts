import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { counterVector, gaugeVector, histogramVector } from '../../metrics/metric-vector.ts';

/** The labels of a request for a resource, in the order of their values. */
const resourceLabels = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];
const labels = ['verb', ...resourceLabels];

/**
 * Bounds of latencies in seconds, as in kube-apiserver; the bounds of etcd's latencies begin lower.
 */
const latencyBounds = [
  0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5,
  5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** The bounds of service times, which exclude waits, in seconds. */
const serviceBounds = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** The bounds of filter durations, in seconds. */
const filterBounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** Bounds of the sizes of request bodies in bytes: 31 steps of 100,000. */
const bodyBounds = Array.from({ length: 31 }, (_, step) => 50_000 + 100_000 * step);

/** Bounds of the sizes of responses in bytes. */
const sizeBounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Bounds of the sizes of watch events in bytes. */
const eventBounds = [1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072];

/** The bounds of the time until a watch got the initial state, in seconds. */
const watchListBounds = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60];

/** Bounds of the time of an authentication or authorization in seconds: 15 powers of two. */
const accessBounds = Array.from({ length: 15 }, (_, power) => 2 ** power / 1_000);

/** The first release that counts watch events by resource; earlier ones count by kind. */
export const watchedResourceSince = '1.34';

const longRunningHelp =
  'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.';

/**
 * The families of requests, with the names, labels, bounds and help of kube-apiserver. Values of
 * labels are passed in the order of the names here.
 */
export function requestFamilies(registry: Pick<MetricsRegistry, 'isSince'>) {
  const kindOrResource = registry.isSince(watchedResourceSince) ? 'resource' : 'kind';
  return {
    total: counterVector(
      {
        name: 'apiserver_request_total',
        help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
        stability: 'STABLE',
      },
      [...labels, 'dry_run', 'code'],
    ),
    duration: histogramVector(
      {
        name: 'apiserver_request_duration_seconds',
        help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
        stability: 'STABLE',
      },
      [...labels, 'dry_run'],
      latencyBounds,
    ),
    service: histogramVector(
      {
        name: 'apiserver_request_sli_duration_seconds',
        help: 'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
        since: '1.26',
      },
      labels,
      serviceBounds,
    ),
    filters: histogramVector(
      {
        name: 'apiserver_request_filter_duration_seconds',
        help: 'Request filter latency distribution in seconds, for each filter type',
      },
      ['filter'],
      filterBounds,
    ),
    fieldValidations: histogramVector(
      {
        name: 'field_validation_request_duration_seconds',
        help: 'Response latency distribution in seconds for each field validation value',
        since: '1.27',
      },
      ['field_validation'],
      serviceBounds,
    ),
    bodySizes: histogramVector(
      {
        name: 'apiserver_request_body_size_bytes',
        help: 'Apiserver request body size in bytes broken out by resource and verb.',
        since: '1.34',
      },
      ['group', 'resource', 'verb'],
      bodyBounds,
    ),
    responseSizes: histogramVector(
      {
        name: 'apiserver_response_sizes',
        help: 'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
        stability: 'STABLE',
      },
      labels,
      sizeBounds,
    ),
    longRunning: gaugeVector(
      { name: 'apiserver_longrunning_requests', help: longRunningHelp, stability: 'STABLE' },
      labels,
    ),
    longRunningGauge: gaugeVector(
      { name: 'apiserver_longrunning_gauge', help: longRunningHelp, deprecated: '1.23' },
      labels,
    ),
    deprecatedApis: gaugeVector(
      {
        name: 'apiserver_requested_deprecated_apis',
        help: 'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
        stability: 'STABLE',
        merge: 'largest',
      },
      ['group', 'version', 'resource', 'subresource', 'removed_release'],
    ),
    dropped: counterVector(
      {
        name: 'apiserver_dropped_requests_total',
        help: "Number of requests dropped with 'Try again later' response",
      },
      ['request_kind'],
    ),
    terminations: counterVector(
      {
        name: 'apiserver_request_terminations_total',
        help: 'Number of requests which apiserver terminated in self-defense.',
      },
      [...labels, 'code'],
    ),
    aborts: counterVector(
      {
        name: 'apiserver_request_aborts_total',
        help: 'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
      },
      ['verb', ...resourceLabels.slice(0, -1)],
    ),
    watchEvents: counterVector(
      {
        name: 'apiserver_watch_events_total',
        help: 'Number of events sent in watch clients',
      },
      ['group', 'version', kindOrResource],
    ),
    watchEventSizes: histogramVector(
      { name: 'apiserver_watch_events_sizes', help: 'Watch event size distribution in bytes' },
      ['group', 'version', kindOrResource],
      eventBounds,
    ),
    watchListDuration: histogramVector(
      {
        name: 'apiserver_watch_list_duration_seconds',
        help: 'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
      },
      ['group', 'version', 'resource', 'scope'],
      watchListBounds,
    ),
    userRequests: counterVector(
      {
        name: 'authenticated_user_requests',
        help: 'Counter of authenticated requests broken out by username.',
      },
      ['username'],
    ),
    attempts: counterVector({ name: 'authentication_attempts', help: 'Counter of authenticated attempts.' }, [
      'result',
    ]),
    authenticationDuration: histogramVector(
      {
        name: 'authentication_duration_seconds',
        help: 'Authentication duration in seconds broken out by result.',
      },
      ['result'],
      accessBounds,
    ),
    authorizationAttempts: counterVector(
      {
        name: 'authorization_attempts_total',
        help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
      },
      ['result'],
    ),
    authorizationDuration: histogramVector(
      {
        name: 'authorization_duration_seconds',
        help: 'Authorization duration in seconds broken out by result.',
      },
      ['result'],
      accessBounds,
    ),
  };
}

/** The families of requests. */
export type RequestFamilies = ReturnType<typeof requestFamilies>;
