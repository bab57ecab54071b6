import type { DashboardDefinition, PanelDefinition } from './dashboard.ts';
import { nodePanels } from './process-panels.ts';
import { mean, quantile, rate, series, sumBy } from './queries.ts';

const name = '{{name}}';

const overview: readonly PanelDefinition[] = [
  { title: 'Instances', kind: 'stat', unit: 'short', queries: [['sum(up{job="$job"})', '']] },
  {
    title: 'Leaders',
    kind: 'stat',
    unit: 'short',
    queries: [['sum(leader_election_master_status{job="$job"})', '']],
  },
  { title: 'Waiting objects', kind: 'stat', unit: 'short', queries: [[sumBy('', series('workqueue_depth')), '']] },
  { title: 'Retries', kind: 'stat', unit: 'ops', queries: [[sumBy('', rate('workqueue_retries_total')), '']] },
];

const queues: readonly PanelDefinition[] = [
  { title: 'Waiting objects', unit: 'short', queries: [[sumBy('name', series('workqueue_depth')), name]] },
  { title: 'Added objects', unit: 'ops', queries: [[sumBy('name', rate('workqueue_adds_total')), name]] },
  { title: 'Retries', unit: 'ops', queries: [[sumBy('name', rate('workqueue_retries_total')), name]] },
  {
    title: 'Time in the queue (mean)',
    unit: 's',
    queries: [[mean('workqueue_queue_duration_seconds', 'name'), name]],
  },
  {
    title: 'Time of a step (99 %)',
    unit: 's',
    queries: [[quantile(0.99, 'workqueue_work_duration_seconds', 'name'), name]],
  },
  {
    title: 'Running steps',
    unit: 's',
    queries: [
      [`max by (name) (${series('workqueue_longest_running_processor_seconds')})`, `${name}, longest`],
      [sumBy('name', series('workqueue_unfinished_work_seconds')), `${name}, all`],
    ],
  },
];

const informers: readonly PanelDefinition[] = [
  {
    title: 'Lists (highest ten)',
    description: 'An informer lists once at its start; lists that go on say that its watch breaks.',
    unit: 'ops',
    queries: [[`topk(10, ${sumBy('name', rate('reflector_lists_total'))})`, name]],
  },
  {
    title: 'Time of a list (mean, highest ten)',
    unit: 's',
    queries: [[`topk(10, ${mean('reflector_list_duration_seconds', 'name')})`, name]],
  },
  {
    title: 'Objects of a list (mean, highest ten)',
    unit: 'short',
    queries: [[`topk(10, ${mean('reflector_items_per_list', 'name')})`, name]],
  },
  {
    title: 'Watches that ended',
    unit: 'ops',
    queries: [
      [sumBy('', rate('reflector_watches_total')), 'all'],
      [sumBy('', rate('reflector_short_watches_total')), 'early, without an event'],
    ],
  },
  {
    title: 'Events of a watch (mean)',
    unit: 'short',
    queries: [[mean('reflector_items_per_watch', 'name'), name]],
  },
  {
    title: 'Revision reached',
    description: 'An informer that stays behind the others gets no events.',
    unit: 'none',
    queries: [[series('reflector_last_resource_version'), name]],
  },
];

const leader: readonly PanelDefinition[] = [
  {
    title: 'Leader',
    unit: 'bool_yes_no',
    queries: [[series('leader_election_master_status'), '{{instance}} {{name}}']],
  },
];

/** The dashboard of the controller manager, and of operators built on the client of the package. */
export const controllersDashboard: DashboardDefinition = {
  uid: 'cl-controllers',
  title: 'Controllers',
  description: 'Work queues, informers, leader election and processes of the controller manager.',
  ownMetric: 'workqueue_depth',
  rows: [
    ['Overview', overview],
    ['Work queues', queues],
    ['Informers', informers],
    ['Leader election', leader],
    ['Process', nodePanels],
  ],
};
