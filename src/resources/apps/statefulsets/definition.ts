import type { Column } from '../../../codec/table-definition.ts';
import type { StatefulSet } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workload } from '../../columns/workload.ts';
import { oldWorkload } from '../../rules/workloads/old-versions.ts';
import { scaleSubresource, scaleIn, statusSubresource } from '../../subresources.ts';
import { dottedNames, strategy } from './strategy.ts';

const columns: readonly Column<StatefulSet>[] = [
  nameColumn,
  textColumn(
    'Ready',
    'Number of ready pods, of the desired ones.',
    (set) => `${set.status.readyReplicas ?? 0}/${set.spec.replicas}`,
  ),
  ageColumn,
  ...workload,
];

/** The resource `statefulsets` of the group `apps`. */
export const statefulSets = builtIn<StatefulSet>({
  group: 'apps',
  resource: 'statefulsets',
  kind: 'StatefulSet',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
    v1beta1: {
      introduced: '1.5',
      deprecated: { since: '1.8', removed: '1.16', replacement: 'v1' },
      conversion: oldWorkload,
    },
  },
  shortNames: ['sts'],
  categories: ['all'],
  subresources: [
    { ...scaleSubresource, versions: ['v1'] },
    scaleIn('apps', 'v1beta2'),
    scaleIn('apps', 'v1beta1'),
    statusSubresource,
  ],
  columns,
  strategy,
  earlierRules: { before: '1.33', hooks: dottedNames },
});
