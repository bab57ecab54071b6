import { builtIn } from '../../built-in.ts';
import { columns } from '../../policy/podsecuritypolicies/columns.ts';
import { strategy } from '../../policy/podsecuritypolicies/strategy.ts';

/** The resource `podsecuritypolicies` of the group `extensions`. */
export const extensionsPodSecurityPolicies = builtIn({
  group: 'extensions',
  resource: 'podsecuritypolicies',
  kind: 'PodSecurityPolicy',
  singular: 'podsecuritypolicy',
  versions: {
    v1beta1: {
      introduced: '1.2',
      deprecated: { since: '1.11', removed: '1.16', replacement: 'policy/v1beta1' },
    },
  },
  storedAs: { group: 'policy', version: 'v1beta1' },
  shortNames: ['psp'],
  columns,
  strategy,
});
