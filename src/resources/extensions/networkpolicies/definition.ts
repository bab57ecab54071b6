import { builtIn } from '../../built-in.ts';
import { columns } from '../../networking/networkpolicies/columns.ts';
import { strategy } from '../../networking/networkpolicies/strategy.ts';

/** The resource `networkpolicies` of the group `extensions`. */
export const extensionsNetworkPolicies = builtIn({
  group: 'extensions',
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  versions: {
    v1beta1: {
      introduced: '1.3',
      deprecated: { since: '1.9', removed: '1.16', replacement: 'networking/v1' },
    },
  },
  storedAs: { group: 'networking', version: 'v1' },
  shortNames: ['netpol'],
  columns,
  strategy,
});
