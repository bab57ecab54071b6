/** Metrics that a healthy control plane of one machine does not show, and why. They are checked by the tests of alerts alone. */
export const absentMetrics: Readonly<Record<string, string>> = {
  apiserver_storage_decode_errors_total: 'all stored objects can be read',
  apiserver_dropped_requests_total: 'no request was refused',
  apiserver_flowcontrol_rejected_requests_total: 'no request was refused',
  apiserver_request_aborts_total: 'no response was broken off',
  apiserver_authorization_webhook_evaluations_total: 'no authorizer is a webhook',
  apiserver_authorization_webhook_evaluations_fail_open_total: 'no authorizer is a webhook',
  apiserver_authorization_webhook_duration_seconds_bucket: 'no authorizer is a webhook',
  apiserver_audit_error_total: 'no event was lost',
  etcd_network_peer_round_trip_time_seconds_bucket: 'etcd has one member',
  reflector_watches_total: 'the first watch has not ended',
  reflector_short_watches_total: 'no watch ended early',
  reflector_items_per_watch_sum: 'the first watch has not ended',
  reflector_items_per_watch_count: 'the first watch has not ended',
};

/** The beginnings of metrics that a control plane shows after the first request of a kind, such as the call of a webhook. */
export const metricsOfRequests: readonly string[] = [
  'apiserver_admission_webhook_',
  'apiserver_audit_',
  'apiserver_conversion_webhook_',
  'apiserver_crd_conversion_webhook_',
  'apiserver_request_terminations_total',
  'aggregator_unavailable_apiservice',
  'apiserver_requested_deprecated_apis',
  'apiserver_watch_events_',
  'pod_security_evaluations_total',
  'workqueue_retries_total',
];

/** Selectors, as they are written, of values that labels of such a control plane do not have, and why. */
export const absentValues: Readonly<Record<string, string>> = {
  'code=~"5.."': 'etcd and webhooks decide about it',
  'status="error"': 'the health checks succeed after the start',
  'result="error"': 'the authorizers decide',
};

/** Panels whose means and quantiles are not a number, because nothing happened of what they measure, and why. */
export const idlePanels: Readonly<Record<string, string>> = {
  'Length of the queue at the arrival (99 %)': 'no request has to wait',
  'Time of a list (mean, highest ten)': 'informers list at their start alone',
  'Objects of a list (mean, highest ten)': 'informers list at their start alone',
};
