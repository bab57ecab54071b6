import type { Column } from '../../../codec/table-definition.ts';
import type { ReplicationController } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { wideColumn, formatLabels } from '../../columns/column.ts';
import { replicas, workload } from '../../columns/workload.ts';
import { scaleSubresource, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

const columns: readonly Column<ReplicationController>[] = [
  ...replicas,
  ...workload,
  wideColumn('Selector', 'Labels of the pods that belong to the controller.', ({ spec }) =>
    formatLabels(spec.selector),
  ),
];

/** The resource `replicationcontrollers` of the core group. */
export const replicationControllers = builtIn<ReplicationController>({
  group: '',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['rc'],
  categories: ['all'],
  subresources: [scaleSubresource, statusSubresource],
  columns,
  strategy: { ...strategy, checksNameBase: false },
  earlierRules: { before: '1.34', hooks: { checksNameBase: true } },
});
