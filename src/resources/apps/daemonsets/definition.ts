import type { Column } from '../../../codec/table.ts';
import type { DaemonSet } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { age, integer, name, text, formatLabels } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The columns of daemon sets. */
export const columns: readonly Column<DaemonSet>[] = [
  name,
  integer('Desired', 'Number of nodes that should run the pod.', (set) => set.status.desiredNumberScheduled),
  integer('Current', 'Number of nodes that run the pod and should.', (set) => set.status.currentNumberScheduled),
  integer('Ready', 'Number of nodes on which the pod is ready.', (set) => set.status.numberReady),
  integer('Up-to-date', 'Number of nodes with the desired template.', (set) => set.status.updatedNumberScheduled ?? 0),
  integer('Available', 'Number of nodes on which the pod is available.', (set) => set.status.numberAvailable ?? 0),
  text('Node Selector', 'Labels of the nodes that run the pod.', ({ spec }) =>
    formatLabels(spec.template.spec.nodeSelector),
  ),
  age,
  ...workloadWithSelector,
];

/** The resource `daemonsets` of the group `apps`. */
export const daemonSets = builtIn<DaemonSet>({
  group: 'apps',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
  },
  shortNames: ['ds'],
  categories: ['all'],
  subresources: [status],
  columns,
  strategy,
});
