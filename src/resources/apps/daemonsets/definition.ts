import type { Column } from '../../../codec/table-definition.ts';
import type { DaemonSet } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, integerColumn, nameColumn, textColumn, formatLabels } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The columns of daemon sets. */
export const columns: readonly Column<DaemonSet>[] = [
  nameColumn,
  integerColumn('Desired', 'Number of nodes that should run the pod.', (set) => set.status.desiredNumberScheduled),
  integerColumn('Current', 'Number of nodes that run the pod and should.', (set) => set.status.currentNumberScheduled),
  integerColumn('Ready', 'Number of nodes on which the pod is ready.', (set) => set.status.numberReady),
  integerColumn(
    'Up-to-date',
    'Number of nodes with the desired template.',
    (set) => set.status.updatedNumberScheduled ?? 0,
  ),
  integerColumn(
    'Available',
    'Number of nodes on which the pod is available.',
    (set) => set.status.numberAvailable ?? 0,
  ),
  textColumn('Node Selector', 'Labels of the nodes that run the pod.', ({ spec }) =>
    formatLabels(spec.template.spec.nodeSelector),
  ),
  ageColumn,
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
  subresources: [statusSubresource],
  columns,
  strategy,
});
