import type { Deployment } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from '../../apps/deployments/definition.ts';
import { strategy } from '../../apps/deployments/strategy.ts';
import { oldDeployment } from '../../rules/workloads/old-versions.ts';
import { rollbackIn, scaleIn, statusSubresource } from '../../subresources.ts';

/** The resource `deployments` of the group `extensions`. */
export const extensionsDeployments = builtIn<Deployment>({
  group: 'extensions',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  versions: {
    v1beta1: {
      introduced: '1.1',
      deprecated: { since: '1.8', removed: '1.16', replacement: 'apps/v1' },
      conversion: oldDeployment,
    },
  },
  storedAs: { group: 'apps', version: 'v1' },
  shortNames: ['deploy'],
  subresources: [rollbackIn('extensions', 'v1beta1'), scaleIn('extensions', 'v1beta1'), statusSubresource],
  columns,
  strategy,
});
