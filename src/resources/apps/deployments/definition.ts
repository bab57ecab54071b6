import type { Column } from '../../../codec/table-definition.ts';
import type { Deployment } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';
import { oldDeployment } from '../../rules/workloads/old-versions.ts';
import { rollbackIn, scaleSubresource, scaleIn, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The columns of deployments. */
export const columns: readonly Column<Deployment>[] = [
  nameColumn,
  textColumn(
    'Ready',
    'Number of ready pods, of the desired ones.',
    (deployment) => `${deployment.status.readyReplicas ?? 0}/${deployment.spec.replicas}`,
  ),
  textColumn('Up-to-date', 'Number of pods with the desired template.', (object) => object.status.updatedReplicas ?? 0),
  textColumn(
    'Available',
    'Number of pods that have been ready for the required time.',
    (object) => object.status.availableReplicas ?? 0,
  ),
  ageColumn,
  ...workloadWithSelector,
];

/** The resource `deployments` of the group `apps`. */
export const deployments = builtIn<Deployment>({
  group: 'apps',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
    v1beta1: {
      introduced: '1.6',
      deprecated: { since: '1.8', removed: '1.16', replacement: 'v1' },
      conversion: oldDeployment,
    },
  },
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [
    rollbackIn('apps', 'v1beta1'),
    { ...scaleSubresource, versions: ['v1'] },
    scaleIn('apps', 'v1beta2'),
    scaleIn('apps', 'v1beta1'),
    statusSubresource,
  ],
  columns,
  strategy,
});
