import type { DashboardDefinition, PanelDefinition } from './dashboard.ts';
import { quantile, rate, series, sumBy, top } from './queries.ts';

const each = '{{instance}}';

const members: readonly PanelDefinition[] = [
  { title: 'Members', kind: 'stat', unit: 'short', queries: [['sum(up{job="$job"})', '']] },
  {
    title: 'Members with a leader',
    kind: 'stat',
    unit: 'short',
    queries: [[sumBy('', series('etcd_server_has_leader')), '']],
  },
  {
    title: 'Database, share of its quota',
    kind: 'stat',
    unit: 'percentunit',
    queries: [
      [
        'max(etcd_mvcc_db_total_size_in_bytes{job="$job",instance=~"$instance"} / etcd_server_quota_backend_bytes{job="$job",instance=~"$instance"})',
        '',
      ],
    ],
  },
  {
    title: 'Keys',
    kind: 'stat',
    unit: 'short',
    queries: [['max(etcd_debugging_mvcc_keys_total{job="$job",instance=~"$instance"})', '']],
  },
];

const raft: readonly PanelDefinition[] = [
  {
    title: 'Leader',
    unit: 'bool_yes_no',
    queries: [[series('etcd_server_is_leader'), each]],
  },
  {
    title: 'Changes of the leader',
    unit: 'short',
    queries: [[`increase(${series('etcd_server_leader_changes_seen_total')}[$__rate_interval])`, each]],
  },
  {
    title: 'Proposals',
    unit: 'ops',
    queries: [
      [rate('etcd_server_proposals_committed_total'), `${each} committed`],
      [rate('etcd_server_proposals_applied_total'), `${each} applied`],
      [rate('etcd_server_proposals_failed_total'), `${each} failed`],
    ],
  },
  {
    title: 'Waiting proposals',
    unit: 'short',
    queries: [[series('etcd_server_proposals_pending'), each]],
  },
  {
    title: 'Slow steps',
    unit: 'ops',
    queries: [
      [rate('etcd_server_slow_apply_total'), `${each} apply`],
      [rate('etcd_server_slow_read_indexes_total'), `${each} read index`],
      [rate('etcd_server_heartbeat_send_failures_total'), `${each} heartbeats`],
    ],
  },
  {
    title: 'Round trip between members (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'etcd_network_peer_round_trip_time_seconds', 'instance, To'), '{{instance}} to {{To}}']],
  },
];

const disk: readonly PanelDefinition[] = [
  {
    title: 'Write of the log (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'etcd_disk_wal_fsync_duration_seconds', 'instance'), each]],
  },
  {
    title: 'Commit of the database (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'etcd_disk_backend_commit_duration_seconds', 'instance'), each]],
  },
  {
    title: 'Size of the database',
    unit: 'bytes',
    queries: [
      [series('etcd_mvcc_db_total_size_in_bytes'), `${each} file`],
      [series('etcd_mvcc_db_total_size_in_use_in_bytes'), `${each} in use`],
      [series('etcd_server_quota_backend_bytes'), `${each} quota`],
    ],
  },
];

const traffic: readonly PanelDefinition[] = [
  {
    title: 'Calls by method (highest ten)',
    unit: 'ops',
    queries: [[top(10, sumBy('grpc_method', rate('grpc_server_started_total'))), '{{grpc_method}}']],
  },
  {
    title: 'Failed calls',
    unit: 'ops',
    queries: [
      [
        sumBy('grpc_method, grpc_code', rate('grpc_server_handled_total', 'grpc_code!="OK"')),
        '{{grpc_method}} {{grpc_code}}',
      ],
    ],
  },
  {
    title: 'Streams',
    description: 'Watches and leases.',
    unit: 'short',
    queries: [
      [
        `${sumBy('grpc_service', series('grpc_server_started_total', 'grpc_type="bidi_stream"'))} - ${sumBy('grpc_service', series('grpc_server_handled_total', 'grpc_type="bidi_stream"'))}`,
        '{{grpc_service}}',
      ],
    ],
  },
  {
    title: 'Reads and writes',
    unit: 'ops',
    queries: [
      [sumBy('', rate('etcd_mvcc_range_total')), 'range'],
      [sumBy('', rate('etcd_mvcc_put_total')), 'put'],
      [sumBy('', rate('etcd_mvcc_delete_total')), 'delete'],
      [sumBy('', rate('etcd_mvcc_txn_total')), 'transaction'],
    ],
  },
  {
    title: 'Bytes of clients',
    unit: 'Bps',
    queries: [
      [sumBy('', rate('etcd_network_client_grpc_received_bytes_total')), 'received'],
      [sumBy('', rate('etcd_network_client_grpc_sent_bytes_total')), 'sent'],
    ],
  },
  {
    title: 'Watches that lag behind',
    unit: 'short',
    queries: [
      [series('etcd_debugging_mvcc_slow_watcher_total'), `${each} slow`],
      [series('etcd_debugging_mvcc_watcher_total'), `${each} all`],
    ],
  },
];

const processes: readonly PanelDefinition[] = [
  { title: 'CPU', unit: 'short', queries: [[rate('process_cpu_seconds_total'), each]] },
  { title: 'Resident memory', unit: 'bytes', queries: [[series('process_resident_memory_bytes'), each]] },
  {
    title: 'Open files and connections',
    unit: 'short',
    queries: [
      [series('process_open_fds'), each],
      [series('process_max_fds'), `${each} limit`],
    ],
  },
];

/** The dashboard of etcd. */
export const etcdDashboard: DashboardDefinition = {
  uid: 'cl-etcd',
  title: 'etcd',
  description: 'Members, disks and traffic of the etcd of the API servers.',
  ownMetric: 'etcd_server_has_leader',
  rows: [
    ['Overview', members],
    ['Members', raft],
    ['Disk', disk],
    ['Traffic', traffic],
    ['Process', processes],
  ],
};
