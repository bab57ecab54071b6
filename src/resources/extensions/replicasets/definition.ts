import type { ReplicaSet } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns, strategy } from '../../apps/replicasets/definition.ts';
import { oldWorkload } from '../../rules/workloads/old-versions.ts';
import { scaleIn, statusSubresource } from '../../subresources.ts';

/** The resource `replicasets` of the group `extensions`. */
export const extensionsReplicaSets = builtIn<ReplicaSet>({
  group: 'extensions',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
  versions: {
    v1beta1: {
      introduced: '1.2',
      deprecated: { since: '1.8', removed: '1.16', replacement: 'apps/v1' },
      conversion: oldWorkload,
    },
  },
  storedAs: { group: 'apps', version: 'v1' },
  shortNames: ['rs'],
  subresources: [scaleIn('extensions', 'v1beta1'), statusSubresource],
  columns,
  strategy,
});
