import type { DashboardDefinition, PanelDefinition } from './dashboard.ts';
import { nodePanels } from './process-panels.ts';
import { mean, quantile, rate, series, sumBy, top } from './queries.ts';

const short = 'verb!~"WATCH|CONNECT"';

const overview: readonly PanelDefinition[] = [
  {
    title: 'Requests without failure, 30 days',
    description: 'Of all servers; needs the recording rules. The objective is 99.9 %.',
    kind: 'stat',
    unit: 'percentunit',
    queries: [['1 - cl_apiserver:requests_failed:ratio30d', '']],
  },
  {
    title: 'Requests in time, 30 days',
    description: 'Of all servers; needs the recording rules. The objective is 99 %.',
    kind: 'stat',
    unit: 'percentunit',
    queries: [['1 - cl_apiserver:requests_slow:ratio30d', '']],
  },
  { title: 'Servers', kind: 'stat', unit: 'short', queries: [['sum(up{job="$job"})', '']] },
  { title: 'Requests', kind: 'stat', unit: 'reqps', queries: [[sumBy('', rate('apiserver_request_total')), '']] },
  {
    title: 'Watches',
    kind: 'stat',
    unit: 'short',
    queries: [[sumBy('', series('apiserver_registered_watchers')), '']],
  },
  {
    title: 'Objects',
    kind: 'stat',
    unit: 'short',
    queries: [['sum(max by (resource) (apiserver_storage_objects{job="$job",instance=~"$instance"}))', '']],
  },
];

const requests: readonly PanelDefinition[] = [
  {
    title: 'Requests by verb',
    unit: 'reqps',
    isStacked: true,
    queries: [[sumBy('verb', rate('apiserver_request_total')), '{{verb}}']],
  },
  {
    title: 'Requests by code',
    description: '0: the client left before the response.',
    unit: 'reqps',
    isStacked: true,
    queries: [[sumBy('code', rate('apiserver_request_total')), '{{code}}']],
  },
  {
    title: 'Failed requests (5xx)',
    unit: 'reqps',
    queries: [
      [sumBy('verb, resource, code', rate('apiserver_request_total', 'code=~"5.."')), '{{verb}} {{resource}} {{code}}'],
    ],
  },
  {
    title: 'Share of requests that fail or are slow',
    description: 'Of all servers, as the objectives count them; needs the recording rules.',
    unit: 'percentunit',
    queries: [
      ['cl_apiserver:requests_failed:ratio5m', 'failed'],
      ['cl_apiserver:requests_slow:ratio5m', 'slow'],
    ],
  },
  {
    title: 'Latency by verb (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'apiserver_request_duration_seconds', 'verb', short), '{{verb}}']],
  },
  {
    title: 'Latency by verb (median)',
    unit: 's',
    queries: [[quantile(0.5, 'apiserver_request_duration_seconds', 'verb', short), '{{verb}}']],
  },
  {
    title: 'Latency by resource (99 %, highest ten)',
    unit: 's',
    queries: [
      [
        top(10, quantile(0.99, 'apiserver_request_duration_seconds', 'resource, subresource', `${short},resource!=""`)),
        '{{resource}} {{subresource}}',
      ],
    ],
  },
  {
    title: 'Requests by resource (highest ten)',
    unit: 'reqps',
    queries: [
      [top(10, sumBy('group, resource', rate('apiserver_request_total', 'resource!=""'))), '{{resource}} {{group}}'],
    ],
  },
  {
    title: 'Requests by user',
    unit: 'reqps',
    queries: [[sumBy('username', rate('authenticated_user_requests')), '{{username}}']],
  },
  {
    title: 'Bytes of responses',
    unit: 'Bps',
    queries: [[sumBy('verb', rate('apiserver_response_sizes_sum')), '{{verb}}']],
  },
  {
    title: 'Requests ended by the server',
    description: '429: too many at once; 504: after the deadline; 503 and 508: not passed on to an aggregated server.',
    unit: 'reqps',
    queries: [
      [sumBy('code, component', rate('apiserver_request_terminations_total')), '{{code}} {{component}}'],
      [sumBy('', rate('apiserver_request_aborts_total')), 'responses broken off'],
    ],
  },
  {
    title: 'Requests of deprecated versions since the start',
    unit: 'short',
    queries: [
      [
        'max by (group, version, resource, removed_release) (apiserver_requested_deprecated_apis{job="$job",instance=~"$instance"})',
        '{{resource}} {{group}}/{{version}}, removed in {{removed_release}}',
      ],
    ],
  },
];

const level = 'priority_level';
const flow = (name: string): string => `apiserver_flowcontrol_${name}`;
const fairQueuing: readonly PanelDefinition[] = [
  {
    title: 'Requests in flight',
    unit: 'short',
    queries: [[sumBy('request_kind', series('apiserver_current_inflight_requests')), '{{request_kind}}']],
  },
  {
    title: 'Requests refused with 429',
    unit: 'reqps',
    queries: [
      [sumBy('request_kind', rate('apiserver_dropped_requests_total')), '{{request_kind}}'],
      [sumBy('priority_level, reason', rate(flow('rejected_requests_total'))), '{{priority_level}} {{reason}}'],
    ],
  },
  {
    title: 'Seats in use, share',
    description: 'Seats of a priority level that requests hold, of those that it has.',
    unit: 'percentunit',
    queries: [
      [
        `${sumBy(level, series(flow('request_concurrency_in_use')))} / ${sumBy(level, series(flow('request_concurrency_limit')))}`,
        '{{priority_level}}',
      ],
    ],
  },
  {
    title: 'Waiting requests',
    unit: 'short',
    queries: [
      [
        sumBy('priority_level, flow_schema', series(flow('current_inqueue_requests'))),
        '{{priority_level}} {{flow_schema}}',
      ],
    ],
  },
  {
    title: 'Running requests',
    unit: 'short',
    queries: [
      [
        sumBy('priority_level, flow_schema', series(flow('current_executing_requests'))),
        '{{priority_level}} {{flow_schema}}',
      ],
    ],
  },
  {
    title: 'Time in the queue (99 %)',
    unit: 's',
    queries: [[quantile(0.99, flow('request_wait_duration_seconds'), level), '{{priority_level}}']],
  },
  {
    title: 'Time with seats (99 %)',
    unit: 's',
    queries: [[quantile(0.99, flow('request_execution_seconds'), level), '{{priority_level}}']],
  },
  {
    title: 'Requests by flow schema',
    unit: 'reqps',
    isStacked: true,
    queries: [[sumBy('flow_schema', rate(flow('dispatched_requests_total'))), '{{flow_schema}}']],
  },
  {
    title: 'Length of the queue at the arrival (99 %)',
    unit: 'short',
    queries: [[quantile(0.99, flow('request_queue_length_after_enqueue'), level), '{{priority_level}}']],
  },
];

const watches: readonly PanelDefinition[] = [
  {
    title: 'Watches by kind (highest ten)',
    unit: 'short',
    queries: [[top(10, sumBy('group, kind', series('apiserver_registered_watchers'))), '{{kind}} {{group}}']],
  },
  {
    title: 'Long-running requests',
    unit: 'short',
    queries: [[sumBy('verb, subresource', series('apiserver_longrunning_requests')), '{{verb}} {{subresource}}']],
  },
  {
    title: 'Events sent (highest ten kinds)',
    unit: 'ops',
    queries: [[top(10, sumBy('group, kind', rate('apiserver_watch_events_total'))), '{{kind}} {{group}}']],
  },
  {
    title: 'Bytes of events sent (highest ten kinds)',
    unit: 'Bps',
    queries: [[top(10, sumBy('group, kind', rate('apiserver_watch_events_sizes_sum'))), '{{kind}} {{group}}']],
  },
  {
    title: 'Watches ended because their clients read too slowly',
    unit: 'ops',
    queries: [[sumBy('resource', rate('apiserver_terminated_watchers_total')), '{{resource}}']],
  },
  {
    title: 'Events at the start of watches (highest ten)',
    description: 'The state or the missed changes that a new watch gets: high while clients start again and again.',
    unit: 'ops',
    queries: [[top(10, sumBy('resource', rate('apiserver_init_events_total'))), '{{resource}}']],
  },
];

const cache: readonly PanelDefinition[] = [
  {
    title: 'Objects by resource (highest fifteen)',
    unit: 'short',
    queries: [
      [top(15, 'max by (resource) (apiserver_storage_objects{job="$job",instance=~"$instance"})'), '{{resource}}'],
    ],
  },
  {
    title: 'Events that the history may hold',
    unit: 'short',
    queries: [['min(watch_cache_capacity{job="$job",instance=~"$instance"})', 'smallest']],
  },
  {
    title: 'Comparisons of the cache with etcd',
    description: 'failure: they differed, and the cache was rebuilt.',
    unit: 'ops',
    queries: [[sumBy('status', rate('apiserver_storage_consistency_checks_total')), '{{status}}']],
  },
  {
    title: 'Stored objects that cannot be read',
    unit: 'short',
    queries: [[sumBy('resource', series('apiserver_storage_decode_errors_total')), '{{resource}}']],
  },
];

const etcd: readonly PanelDefinition[] = [
  {
    title: 'Calls of etcd',
    unit: 'ops',
    queries: [[sumBy('operation', rate('etcd_request_duration_seconds_count')), '{{operation}}']],
  },
  {
    title: 'Latency of etcd (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'etcd_request_duration_seconds', 'operation'), '{{operation}}']],
  },
  {
    title: 'Latency of etcd by resource (mean, highest ten)',
    unit: 's',
    queries: [[top(10, `(${mean('etcd_request_duration_seconds', 'type')})`), '{{type}}']],
  },
  {
    title: 'Size of the database',
    unit: 'bytes',
    queries: [[series('etcd_db_total_size_in_bytes'), '{{endpoint}}']],
  },
];

const hook = 'apiserver_admission_webhook_admission_duration_seconds';
const admission: readonly PanelDefinition[] = [
  {
    title: 'Admission, by phase (99 %)',
    unit: 's',
    queries: [
      [
        quantile(0.99, 'apiserver_admission_step_admission_duration_seconds', 'type, operation'),
        '{{type}} {{operation}}',
      ],
    ],
  },
  {
    title: 'Plugins (mean, slowest ten)',
    unit: 's',
    queries: [[top(10, `(${mean('apiserver_admission_controller_admission_duration_seconds', 'name')})`), '{{name}}']],
  },
  {
    title: 'Writes that plugins refuse',
    unit: 'ops',
    queries: [
      [
        sumBy('name', rate('apiserver_admission_controller_admission_duration_seconds_count', 'rejected="true"')),
        '{{name}}',
      ],
    ],
  },
  { title: 'Webhooks (99 %)', unit: 's', queries: [[quantile(0.99, hook, 'name, type'), '{{name}} {{type}}']] },
  {
    title: 'Calls of webhooks',
    unit: 'ops',
    queries: [
      [
        sumBy('name, code, rejected', rate('apiserver_admission_webhook_request_total')),
        '{{name}} {{code}} rejected={{rejected}}',
      ],
    ],
  },
  {
    title: 'Writes that webhooks refuse, or let pass by failing',
    unit: 'ops',
    queries: [
      [sumBy('name, error_type', rate('apiserver_admission_webhook_rejection_count')), '{{name}} {{error_type}}'],
      [sumBy('name', rate('apiserver_admission_webhook_fail_open_count')), '{{name}} fails open'],
    ],
  },
  {
    title: 'Conversion webhooks (99 %)',
    unit: 's',
    queries: [
      [
        quantile(0.99, 'apiserver_crd_conversion_webhook_duration_seconds', 'crd_name, succeeded'),
        '{{crd_name}} succeeded={{succeeded}}',
      ],
    ],
  },
  {
    title: 'Calls of conversion webhooks',
    unit: 'ops',
    queries: [
      [
        sumBy('result, failure_type', rate('apiserver_conversion_webhook_request_total')),
        '{{result}} {{failure_type}}',
      ],
    ],
  },
  {
    title: 'Pod security',
    unit: 'ops',
    queries: [[sumBy('decision, mode', rate('pod_security_evaluations_total')), '{{mode}} {{decision}}']],
  },
];

const access: readonly PanelDefinition[] = [
  {
    title: 'Authentication',
    description: 'failure: no credential; error: one that is not valid.',
    unit: 'reqps',
    queries: [[sumBy('result', rate('authentication_attempts')), '{{result}}']],
  },
  {
    title: 'Authentication (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'authentication_duration_seconds', 'result'), '{{result}}']],
  },
  {
    title: 'Tokens',
    description: 'A miss waits for the verification of its token.',
    unit: 'ops',
    queries: [
      [sumBy('status', rate('authentication_token_cache_request_total')), '{{status}}'],
      [sumBy('status', rate('authentication_token_cache_fetch_total')), 'verified: {{status}}'],
      [sumBy('status', series('authentication_token_cache_active_fetch_count')), 'present: {{status}}'],
    ],
  },
  {
    title: 'Time for a token (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'authentication_token_cache_request_duration_seconds', 'status'), '{{status}}']],
  },
  {
    title: 'Tokens of service accounts',
    unit: 'ops',
    queries: [
      [sumBy('', rate('serviceaccount_valid_tokens_total')), 'valid'],
      [sumBy('', rate('serviceaccount_stale_tokens_total')), 'stale'],
      [sumBy('', rate('serviceaccount_legacy_tokens_total')), 'legacy'],
    ],
  },
  {
    title: 'Time left to certificates of clients (lowest 1 %)',
    unit: 's',
    queries: [[quantile(0.01, 'apiserver_client_certificate_expiration_seconds', ''), 'time left']],
  },
  {
    title: 'Authorization',
    unit: 'reqps',
    queries: [
      [sumBy('result', rate('authorization_attempts_total')), '{{result}}'],
      [sumBy('name, result', rate('apiserver_authorization_webhook_evaluations_total')), '{{name}} {{result}}'],
      [sumBy('name', rate('apiserver_authorization_webhook_evaluations_fail_open_total')), '{{name}} fails open'],
    ],
  },
  {
    title: 'Authorization (99 %)',
    unit: 's',
    queries: [
      [quantile(0.99, 'authorization_duration_seconds', 'result'), '{{result}}'],
      [quantile(0.99, 'apiserver_authorization_webhook_duration_seconds', 'name'), '{{name}}'],
    ],
  },
  {
    title: 'TLS handshakes that fail',
    unit: 'ops',
    queries: [[rate('apiserver_tls_handshake_errors_total'), '{{instance}}']],
  },
];

const audit: readonly PanelDefinition[] = [
  {
    title: 'Audit events',
    unit: 'ops',
    queries: [
      [sumBy('', rate('apiserver_audit_event_total')), 'recorded'],
      [sumBy('level', rate('apiserver_audit_level_total')), 'requests at {{level}}'],
    ],
  },
  {
    title: 'Lost audit events, refused requests',
    unit: 'ops',
    queries: [
      [sumBy('plugin', rate('apiserver_audit_error_total')), 'lost: {{plugin}}'],
      [sumBy('', rate('apiserver_audit_requests_rejected_total')), 'refused'],
    ],
  },
  {
    title: 'Aggregated servers',
    unit: 'short',
    queries: [
      ['max by (name) (aggregator_unavailable_apiservice{job="$job",instance=~"$instance"})', '{{name}} unavailable'],
      [sumBy('name, reason', rate('aggregator_unavailable_apiservice_total')), '{{name}} {{reason}} in a second'],
    ],
  },
];

/** The dashboard of the API server. */
export const apiServerDashboard: DashboardDefinition = {
  uid: 'cl-apiserver',
  title: 'API server',
  description: 'Requests, watches, storage, admission, access and processes of the API servers.',
  ownMetric: 'apiserver_current_inflight_requests',
  rows: [
    ['Overview', overview],
    ['Requests', requests],
    ['Requests in flight and fair queuing', fairQueuing],
    ['Watches', watches],
    ['Watch cache', cache],
    ['etcd, as the servers see it', etcd],
    ['Admission, webhooks and conversion', admission],
    ['Authentication and authorization', access],
    ['Audit and aggregation', audit],
    ['Process', nodePanels],
  ],
};
