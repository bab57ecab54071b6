import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { rollbackIn, scale, scaleIn, status } from '../../subresources.ts';
import { oldDeployment } from '../../rules/workloads/old-versions.ts';
import { strategy } from './strategy.ts';

/** The resource `deployments` of the group `apps`. */
export const deployments = builtIn({
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
    { ...scale, versions: ['v1'] },
    scaleIn('apps', 'v1beta2'),
    scaleIn('apps', 'v1beta1'),
    status,
  ],
  columns,
  strategy,
});
