import type { DaemonSet } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from '../../apps/daemonsets/definition.ts';
import { strategy } from '../../apps/daemonsets/strategy.ts';
import { oldDaemonSet } from '../../rules/workloads/old-versions.ts';
import { statusSubresource } from '../../subresources.ts';

/** The resource `daemonsets` of the group `extensions`. */
export const extensionsDaemonSets = builtIn<DaemonSet>({
  group: 'extensions',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
  versions: {
    v1beta1: {
      introduced: '1.1',
      deprecated: { since: '1.8', removed: '1.16', replacement: 'apps/v1' },
      conversion: oldDaemonSet,
    },
  },
  storedAs: { group: 'apps', version: 'v1' },
  shortNames: ['ds'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
