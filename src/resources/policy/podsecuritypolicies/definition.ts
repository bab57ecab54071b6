import type { PodSecurityPolicy } from '../../../gen/stored/policy-v1beta1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `podsecuritypolicies` of the group `policy`. */
export const podSecurityPolicies = builtIn<PodSecurityPolicy>({
  group: 'policy',
  resource: 'podsecuritypolicies',
  kind: 'PodSecurityPolicy',
  singular: 'podsecuritypolicy',
  versions: {
    v1beta1: { introduced: '1.10', deprecated: { since: '1.21', removed: '1.25' } },
  },
  shortNames: ['psp'],
  columns,
  strategy,
});
