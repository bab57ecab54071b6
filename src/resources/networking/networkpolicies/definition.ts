import type { NetworkPolicy } from '../../../gen/stored/networking-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `networkpolicies` of the group `networking`. */
export const networkPolicies = builtIn<NetworkPolicy>({
  group: 'networking',
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  versions: { v1: { introduced: '1.8' } },
  shortNames: ['netpol'],
  // The status was removed before it was enabled by default.
  subresources: [{ ...statusSubresource, introduced: '1.24', gate: 'NetworkPolicyStatus' }],
  columns,
  strategy,
});
