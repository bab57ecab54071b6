import type { DaemonSet, Deployment, ReplicaSet } from '../../gen/stored/apps-v1.ts';
import type { Ingress } from '../../gen/stored/networking-v1.ts';
import { columns as daemonSetColumns } from '../apps/daemonsets/definition.ts';
import { strategy as daemonSetStrategy } from '../apps/daemonsets/strategy.ts';
import { columns as deploymentColumns } from '../apps/deployments/definition.ts';
import { strategy as deploymentStrategy } from '../apps/deployments/strategy.ts';
import { columns as replicaSetColumns, strategy as replicaSetStrategy } from '../apps/replicasets/definition.ts';
import { builtIn } from '../built-in.ts';
import { columns as ingressColumns } from '../networking/ingresses/columns.ts';
import { ingressConversion } from '../networking/ingresses/convert.ts';
import { strategy as ingressStrategy } from '../networking/ingresses/strategy.ts';
import { columns as networkPolicyColumns } from '../networking/networkpolicies/columns.ts';
import { strategy as networkPolicyStrategy } from '../networking/networkpolicies/strategy.ts';
import { columns as securityPolicyColumns } from '../policy/podsecuritypolicies/columns.ts';
import { strategy as securityPolicyStrategy } from '../policy/podsecuritypolicies/strategy.ts';
import { oldDaemonSet, oldDeployment, oldWorkload } from '../rules/workloads/old-versions.ts';
import { rollbackIn, scaleIn, statusSubresource } from '../subresources.ts';

const group = 'extensions';
const scale = scaleIn(group, 'v1beta1');
const ofApps = { since: '1.8', removed: '1.16', replacement: 'apps/v1' };
const inApps = { group: 'apps', version: 'v1' };

/** The resources of the group `extensions`: kinds that moved to groups of their own. */
export const extensionsResources = [
  builtIn<DaemonSet>({
    group,
    resource: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    versions: { v1beta1: { introduced: '1.1', deprecated: ofApps, conversion: oldDaemonSet } },
    storedAs: inApps,
    shortNames: ['ds'],
    subresources: [statusSubresource],
    columns: daemonSetColumns,
    strategy: daemonSetStrategy,
  }),
  builtIn<Deployment>({
    group,
    resource: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    versions: { v1beta1: { introduced: '1.1', deprecated: ofApps, conversion: oldDeployment } },
    storedAs: inApps,
    shortNames: ['deploy'],
    subresources: [rollbackIn(group, 'v1beta1'), scale, statusSubresource],
    columns: deploymentColumns,
    strategy: deploymentStrategy,
  }),
  builtIn<Ingress>({
    group,
    resource: 'ingresses',
    kind: 'Ingress',
    namespaced: true,
    versions: {
      v1beta1: {
        introduced: '1.1',
        deprecated: { since: '1.14', removed: '1.22', replacement: 'networking/v1' },
        conversion: ingressConversion,
      },
    },
    storedAs: { group: 'networking', version: 'v1' },
    shortNames: ['ing'],
    subresources: [statusSubresource],
    columns: ingressColumns,
    strategy: ingressStrategy,
  }),
  builtIn({
    group,
    resource: 'networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    versions: {
      v1beta1: { introduced: '1.3', deprecated: { since: '1.9', removed: '1.16', replacement: 'networking/v1' } },
    },
    storedAs: { group: 'networking', version: 'v1' },
    shortNames: ['netpol'],
    columns: networkPolicyColumns,
    strategy: networkPolicyStrategy,
  }),
  builtIn({
    group,
    resource: 'podsecuritypolicies',
    kind: 'PodSecurityPolicy',
    singular: 'podsecuritypolicy',
    versions: {
      v1beta1: { introduced: '1.2', deprecated: { since: '1.11', removed: '1.16', replacement: 'policy/v1beta1' } },
    },
    storedAs: { group: 'policy', version: 'v1beta1' },
    shortNames: ['psp'],
    columns: securityPolicyColumns,
    strategy: securityPolicyStrategy,
  }),
  builtIn<ReplicaSet>({
    group,
    resource: 'replicasets',
    kind: 'ReplicaSet',
    namespaced: true,
    versions: { v1beta1: { introduced: '1.2', deprecated: ofApps, conversion: oldWorkload } },
    storedAs: inApps,
    shortNames: ['rs'],
    subresources: [scale, statusSubresource],
    columns: replicaSetColumns,
    strategy: replicaSetStrategy,
  }),
];
