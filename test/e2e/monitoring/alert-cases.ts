/** Series with a value each minute that make an alert fire, in the notation of promtool: `0+6x10` are eleven values, each 6 larger. */
export interface AlertCase {
  readonly alert: string;
  readonly severity: 'critical' | 'warning' | 'info';
  /** The label of alerts that look at windows of several lengths. */
  readonly window?: string;
  readonly series: Readonly<Record<string, string>>;
  /** A moment at which it does not fire, though its data are there. */
  readonly quietAt: string;
  readonly firesAt: string;
}

const server = 'job="cl-apiserver",instance="a"';
const requests = `apiserver_request_total{${server},verb="GET",resource="pods",subresource="",scope="resource",code="200"}`;
const failures = `apiserver_request_total{${server},verb="GET",resource="pods",subresource="",scope="resource",code="500"}`;
const answered = `apiserver_request_duration_seconds_count{${server},verb="GET",resource="pods",subresource="",scope="resource"}`;
const inTime = `apiserver_request_duration_seconds_bucket{${server},verb="GET",resource="pods",subresource="",scope="resource",le="1"}`;

const objectives: readonly AlertCase[] = [
  {
    alert: 'ApiServerErrorBudgetBurns',
    severity: 'critical',
    window: '1h',
    series: { [requests]: '0+6000x120', [failures]: '0x60 0+200x60' },
    quietAt: '75m',
    firesAt: '100m',
  },
  {
    alert: 'ApiServerErrorBudgetBurns',
    severity: 'critical',
    window: '6h',
    series: { [requests]: '0+6000x180', [failures]: '0x60 0+60x120' },
    quietAt: '120m',
    firesAt: '180m',
  },
  {
    alert: 'ApiServerErrorBudgetBurns',
    severity: 'warning',
    window: '3d',
    series: { [requests]: '0+6000x240', [failures]: '0x120 0+24x120' },
    quietAt: '150m',
    firesAt: '4h',
  },
  {
    alert: 'ApiServerLatencyBudgetBurns',
    severity: 'critical',
    window: '1h',
    series: { [requests]: '0+6000x130', [answered]: '0+6000x130', [inTime]: '0+6000x60 364800+4800x70' },
    quietAt: '80m',
    firesAt: '120m',
  },
  {
    alert: 'ApiServerLatencyBudgetBurns',
    severity: 'critical',
    window: '6h',
    series: { [requests]: '0+6000x180', [answered]: '0+6000x180', [inTime]: '0+6000x60 365400+5400x120' },
    quietAt: '120m',
    firesAt: '180m',
  },
  {
    alert: 'ApiServerLatencyBudgetBurns',
    severity: 'warning',
    window: '3d',
    series: { [requests]: '0+6000x240', [answered]: '0+6000x240', [inTime]: '0+6000x120 725760+5760x120' },
    quietAt: '150m',
    firesAt: '4h',
  },
];

const check = 'job="cl-apiserver-slis",instance="a",name="etcd",type="readyz"';
const webhook = `${server},name="policy.example.com",type="validating",operation="CREATE"`;
const comparison = `apiserver_storage_consistency_checks_total{${server},group="",resource="pods"`;
const certificates = (le: string): string =>
  `apiserver_client_certificate_expiration_seconds_bucket{${server},le="${le}"}`;
const deprecated = `${server},group="policy",version="v1beta1",resource="podsecuritypolicies"`;

const apiServer: readonly AlertCase[] = [
  {
    alert: 'ApiServerDown',
    severity: 'critical',
    series: { [`up{${server}}`]: '1x10 0x20', 'up{job="cl-apiserver",instance="b"}': '0x5 1x10 0x20' },
    quietAt: '12m',
    firesAt: '20m',
  },
  {
    alert: 'ApiServerInstanceDown',
    severity: 'warning',
    series: { [`up{${server}}`]: '1x10 0x20', 'up{job="cl-apiserver",instance="b"}': '1x30' },
    quietAt: '13m',
    firesAt: '20m',
  },
  {
    alert: 'ApiServerHealthCheckFails',
    severity: 'critical',
    series: {
      [`cluster_healthchecks_total{${check},status="error"}`]: '1+1x10 11+6x30',
      [`cluster_healthchecks_total{${check},status="success"}`]: '0+5x10 50x30',
    },
    quietAt: '10m',
    firesAt: '30m',
  },
  {
    alert: 'ApiServerHealthCheckFails',
    severity: 'critical',
    series: {
      [`kubernetes_healthchecks_total{${check},status="error"}`]: '1x10 2+6x30',
      [`kubernetes_healthchecks_total{${check},status="success"}`]: '0+5x10 50x30',
    },
    quietAt: '10m',
    firesAt: '30m',
  },
  {
    alert: 'ApiServerRefusesRequests',
    severity: 'warning',
    series: {
      [`apiserver_dropped_requests_total{${server},request_kind="mutating"}`]: '0+30x20 600+120x40',
      [requests]: '0+6000x60',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerRequestsWait',
    severity: 'warning',
    series: {
      [`apiserver_flowcontrol_request_wait_duration_seconds_bucket{${server},priority_level="workload-low",le="0.5"}`]:
        '0+600x20 12000+300x40',
      [`apiserver_flowcontrol_request_wait_duration_seconds_bucket{${server},priority_level="workload-low",le="5"}`]:
        '0+600x60',
      [`apiserver_flowcontrol_request_wait_duration_seconds_bucket{${server},priority_level="workload-low",le="+Inf"}`]:
        '0+600x60',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerEndsSlowWatches',
    severity: 'warning',
    series: { [`apiserver_terminated_watchers_total{${server},resource="pods"}`]: '0x20 0 1x20 1+1x60' },
    quietAt: '40m',
    firesAt: '80m',
  },
  {
    alert: 'ApiServerDeprecatedApiUsed',
    severity: 'info',
    series: {
      [`apiserver_requested_deprecated_apis{${deprecated},removed_release="1.25"}`]: '1x200',
      [`apiserver_request_total{${deprecated},verb="LIST"}`]: '0+5x200',
      [`apiserver_request_total{${deprecated},verb="GET"}`]: '0x60 0+1x140',
    },
    quietAt: '60m',
    firesAt: '150m',
  },
  {
    alert: 'ApiServerStoreSlow',
    severity: 'warning',
    series: {
      [`etcd_request_duration_seconds_bucket{${server},operation="create",le="0.25"}`]: '0+600x20 12000+300x40',
      [`etcd_request_duration_seconds_bucket{${server},operation="create",le="2"}`]: '0+600x60',
      [`etcd_request_duration_seconds_bucket{${server},operation="create",le="+Inf"}`]: '0+600x60',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerCacheDiffersFromStore',
    severity: 'critical',
    series: { [`${comparison},status="failure"}`]: '0x20 1x20', [`${comparison},status="success"}`]: '0+1x40' },
    quietAt: '20m',
    firesAt: '25m',
  },
  {
    alert: 'ApiServerCacheNotChecked',
    severity: 'warning',
    series: { [`${comparison},status="error"}`]: '0x50 1+1x120', [`${comparison},status="success"}`]: '0+1x60 60x120' },
    quietAt: '90m',
    firesAt: '150m',
  },
  {
    alert: 'ApiServerObjectsUnreadable',
    severity: 'critical',
    series: { [`apiserver_storage_decode_errors_total{${server},resource="pods"}`]: '_x10 1x20' },
    quietAt: '5m',
    firesAt: '12m',
  },
  {
    alert: 'ApiServerWebhookFails',
    severity: 'critical',
    series: {
      [`apiserver_admission_webhook_rejection_count{${webhook},error_type="calling_webhook_error"}`]: '0x20 1+1x30',
      [`apiserver_admission_webhook_rejection_count{${webhook},error_type="no_error"}`]: '0+10x50',
    },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'ApiServerWebhookSkipped',
    severity: 'warning',
    series: {
      [`apiserver_admission_webhook_fail_open_count{${server},name="policy.example.com",type="admit"}`]: '0x20 1+1x30',
    },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'ApiServerWebhookSlow',
    severity: 'warning',
    series: {
      [`apiserver_admission_webhook_admission_duration_seconds_bucket{${webhook},le="0.5"}`]: '0+60x20 1200+30x40',
      [`apiserver_admission_webhook_admission_duration_seconds_bucket{${webhook},le="10"}`]: '0+60x60',
      [`apiserver_admission_webhook_admission_duration_seconds_bucket{${webhook},le="+Inf"}`]: '0+60x60',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerConversionFails',
    severity: 'critical',
    series: {
      [`apiserver_crd_conversion_webhook_duration_seconds_count{${server},crd_name="c.example.com",succeeded="false"}`]:
        '0x20 1+1x30',
      [`apiserver_crd_conversion_webhook_duration_seconds_count{${server},crd_name="c.example.com",succeeded="true"}`]:
        '0+9x50',
    },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'AggregatedApiUnavailable',
    severity: 'warning',
    series: { [`aggregator_unavailable_apiservice{${server},name="v1.example.com"}`]: '0x10 1x20' },
    quietAt: '15m',
    firesAt: '25m',
  },
  {
    alert: 'AggregatedApiFlaps',
    severity: 'warning',
    series: {
      [`aggregator_unavailable_apiservice_total{${server},name="v1.example.com",reason="x"}`]: '0x10 1x10 2+1x20',
    },
    quietAt: '20m',
    firesAt: '30m',
  },
  {
    alert: 'ApiServerClientCertificateExpires',
    severity: 'warning',
    series: {
      [certificates('86400')]: '0x60',
      [certificates('345600')]: '0x20 0+60x40',
      [certificates('604800')]: '0x20 0+60x40',
      [certificates('2.592e+06')]: '0+60x60',
      [certificates('+Inf')]: '0+60x60',
    },
    quietAt: '20m',
    firesAt: '40m',
  },
  {
    alert: 'ApiServerClientCertificateExpires',
    severity: 'critical',
    series: {
      [certificates('43200')]: '0x20 0+60x40',
      [certificates('86400')]: '0x20 0+60x40',
      [certificates('604800')]: '0+60x60',
      [certificates('+Inf')]: '0+60x60',
    },
    quietAt: '20m',
    firesAt: '40m',
  },
  {
    alert: 'ApiServerCredentialsRefused',
    severity: 'warning',
    series: {
      [`authentication_attempts{${server},result="success"}`]: '0+600x60',
      [`authentication_attempts{${server},result="error"}`]: '0+6x20 120+120x40',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerHandshakesFail',
    severity: 'warning',
    series: { [`apiserver_tls_handshake_errors_total{${server}}`]: '0+6x20 120+120x40' },
    quietAt: '20m',
    firesAt: '45m',
  },
  {
    alert: 'ApiServerAuthorizationFails',
    severity: 'critical',
    series: {
      [`authorization_attempts_total{${server},result="error"}`]: '0x20 1+1x30',
      [`authorization_attempts_total{${server},result="no-opinion"}`]: '0+5x50',
    },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'ApiServerAuthorizationWebhookFails',
    severity: 'critical',
    series: {
      [`apiserver_authorization_webhook_evaluations_total{${server},name="default",result="timeout"}`]: '0x20 1+1x30',
      [`apiserver_authorization_webhook_evaluations_total{${server},name="default",result="canceled"}`]: '0+1x50',
    },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'ApiServerAuditEventsLost',
    severity: 'critical',
    series: { [`apiserver_audit_error_total{${server},plugin="log"}`]: '0x20 1+1x30' },
    quietAt: '20m',
    firesAt: '35m',
  },
  {
    alert: 'ApiServerAuditRefusesRequests',
    severity: 'critical',
    series: { [`apiserver_audit_requests_rejected_total{${server}}`]: '0x20 1+1x30' },
    quietAt: '20m',
    firesAt: '35m',
  },
];

const processes: readonly AlertCase[] = [
  {
    alert: 'ProcessEventLoopBusy',
    severity: 'warning',
    series: {
      [`nodejs_eventloop_active_seconds_total{${server}}`]: '0+100x20 2000+115x40',
      [`nodejs_processes{${server}}`]: '2x60',
    },
    quietAt: '20m',
    firesAt: '50m',
  },
  {
    alert: 'ProcessHeapNearLimit',
    severity: 'critical',
    series: {
      'nodejs_heap_size_used_bytes{job="cl-controller-manager",instance="a"}': '50x20 90x40',
      'nodejs_heap_size_limit_bytes{job="cl-controller-manager",instance="a"}': '100x60',
    },
    quietAt: '30m',
    firesAt: '40m',
  },
  {
    alert: 'ProcessFilesNearLimit',
    severity: 'critical',
    series: { [`process_open_fds{${server}}`]: '50x20 90x40', [`process_max_fds{${server}}`]: '100x60' },
    quietAt: '25m',
    firesAt: '40m',
  },
  {
    alert: 'ProcessRestarts',
    severity: 'warning',
    series: { [`process_start_time_seconds{${server}}`]: '1x20 2x20 3x20 4x20 5+1x20' },
    quietAt: '80m',
    firesAt: '90m',
  },
];

const manager = 'job="cl-controller-manager",instance="a"';
const controllers: readonly AlertCase[] = [
  {
    alert: 'ControllersDown',
    severity: 'critical',
    series: { [`up{${manager}}`]: '1x10 0x20' },
    quietAt: '13m',
    firesAt: '20m',
  },
  {
    alert: 'ControllersWithoutLeader',
    severity: 'critical',
    series: {
      [`leader_election_master_status{${manager},name="cl-controller-manager"}`]: '1x10 0x20',
      'leader_election_master_status{job="cl-controller-manager",instance="b",name="cl-controller-manager"}': '0x30',
    },
    quietAt: '12m',
    firesAt: '20m',
  },
  {
    alert: 'ControllersWithTwoLeaders',
    severity: 'critical',
    series: {
      [`leader_election_master_status{${manager},name="cl-controller-manager"}`]: '1x30',
      'leader_election_master_status{job="cl-controller-manager",instance="b",name="cl-controller-manager"}':
        '0x10 1x20',
    },
    quietAt: '11m',
    firesAt: '20m',
  },
  {
    alert: 'ControllerQueueWaits',
    severity: 'warning',
    series: {
      [`workqueue_queue_duration_seconds_sum{${manager},name="deployment"}`]: '0+60x20 1200+1200x40',
      [`workqueue_queue_duration_seconds_count{${manager},name="deployment"}`]: '0+60x60',
    },
    quietAt: '20m',
    firesAt: '50m',
  },
  {
    alert: 'ControllerRetries',
    severity: 'warning',
    series: { [`workqueue_retries_total{${manager},name="deployment"}`]: '0+2x20 40+20x60' },
    quietAt: '20m',
    firesAt: '60m',
  },
  {
    alert: 'ControllerStuck',
    severity: 'warning',
    series: { [`workqueue_longest_running_processor_seconds{${manager},name="namespace"}`]: '0x10 0+60x20' },
    quietAt: '16m',
    firesAt: '20m',
  },
  {
    alert: 'ControllerListsAgain',
    severity: 'warning',
    series: { [`reflector_lists_total{${manager},name="pods"}`]: '1x20 2x20 3+1x60' },
    quietAt: '40m',
    firesAt: '80m',
  },
];

const member = 'job="etcd",instance="a"';
const etcd: readonly AlertCase[] = [
  {
    alert: 'EtcdMemberDown',
    severity: 'warning',
    series: { [`up{${member}}`]: '1x10 0x20', 'up{job="etcd",instance="b"}': '1x30' },
    quietAt: '12m',
    firesAt: '20m',
  },
  {
    alert: 'EtcdWithoutQuorum',
    severity: 'critical',
    series: {
      [`up{${member}}`]: '1x5 0x25',
      'up{job="etcd",instance="b"}': '1x10 0x20',
      'up{job="etcd",instance="c"}': '1x30',
    },
    quietAt: '10m',
    firesAt: '20m',
  },
  {
    alert: 'EtcdWithoutLeader',
    severity: 'critical',
    series: { [`etcd_server_has_leader{${member}}`]: '1x10 0x20' },
    quietAt: '11m',
    firesAt: '20m',
  },
  {
    alert: 'EtcdLeaderChanges',
    severity: 'warning',
    series: { [`etcd_server_leader_changes_seen_total{${member}}`]: '1x20 2x20 3+1x40' },
    quietAt: '40m',
    firesAt: '60m',
  },
  {
    alert: 'EtcdProposalsFail',
    severity: 'warning',
    series: { [`etcd_server_proposals_failed_total{${member}}`]: '0x20 1x20 2+1x60' },
    quietAt: '40m',
    firesAt: '80m',
  },
  {
    alert: 'EtcdRequestsFail',
    severity: 'critical',
    series: {
      [`grpc_server_handled_total{${member},grpc_type="unary",grpc_method="Range",grpc_code="OK"}`]: '0+600x60',
      [`grpc_server_handled_total{${member},grpc_type="unary",grpc_method="Range",grpc_code="Unavailable"}`]:
        '0+6x20 120+60x40',
    },
    quietAt: '20m',
    firesAt: '45m',
  },
  ...(
    [
      ['EtcdDiskSlow', 'etcd_disk_wal_fsync_duration_seconds', ''],
      ['EtcdCommitSlow', 'etcd_disk_backend_commit_duration_seconds', ''],
      ['EtcdPeerSlow', 'etcd_network_peer_round_trip_time_seconds', ',To="b"'],
    ] as const
  ).map(([alert, histogram, labels]) => ({
    alert,
    severity: 'warning' as const,
    series: {
      [`${histogram}_bucket{${member}${labels},le="0.064"}`]: '0+600x20 12000+300x40',
      [`${histogram}_bucket{${member}${labels},le="0.512"}`]: '0+600x60',
      [`${histogram}_bucket{${member}${labels},le="+Inf"}`]: '0+600x60',
    },
    quietAt: '20m',
    firesAt: '45m',
  })),
  {
    alert: 'EtcdDatabaseNearQuota',
    severity: 'warning',
    series: {
      [`etcd_mvcc_db_total_size_in_bytes{${member}}`]: '50x20 85x40',
      [`etcd_server_quota_backend_bytes{${member}}`]: '100x60',
    },
    quietAt: '25m',
    firesAt: '40m',
  },
  {
    alert: 'EtcdDatabaseNearQuota',
    severity: 'critical',
    series: {
      [`etcd_mvcc_db_total_size_in_bytes{${member}}`]: '90x20 96x40',
      [`etcd_server_quota_backend_bytes{${member}}`]: '100x60',
    },
    quietAt: '20m',
    firesAt: '40m',
  },
  {
    alert: 'EtcdDatabaseGrows',
    severity: 'warning',
    series: {
      [`etcd_mvcc_db_total_size_in_bytes{${member}}`]: '1e9x60 1e9+1e7x60',
      [`etcd_server_quota_backend_bytes{${member}}`]: '2e9x120',
    },
    quietAt: '60m',
    firesAt: '115m',
  },
  {
    alert: 'EtcdDatabaseFragmented',
    severity: 'info',
    series: {
      [`etcd_mvcc_db_total_size_in_use_in_bytes{${member}}`]: '9e8x20 4e8x100',
      [`etcd_mvcc_db_total_size_in_bytes{${member}}`]: '1e9x120',
    },
    quietAt: '60m',
    firesAt: '100m',
  },
];

/** A case for each alert, or for each of its severities and windows. */
export const alertCases: readonly AlertCase[] = [...objectives, ...apiServer, ...processes, ...controllers, ...etcd];
