import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { Description } from './parts/description.ts';
import { shortGroup } from './parts/values.ts';

type Loader = () => Promise<Description>;

const workloads = () => import('./kinds/workloads.ts');
const network = () => import('./kinds/network.ts');
const access = () => import('./kinds/access.ts');
const data = () => import('./kinds/data.ts');
const storage = () => import('./kinds/storage.ts');
const quota = () => import('./kinds/quota.ts');

/** The descriptions of the built-in kinds, by group and resource. All others show their fields. */
const descriptions: Readonly<Record<string, Loader>> = {
  '/configmaps': async () => (await data()).configMap,
  '/endpoints': async () => (await network()).endpoints,
  '/limitranges': async () => (await quota()).limitRange,
  '/namespaces': async () => (await quota()).namespace,
  '/nodes': async () => (await import('./kinds/node.ts')).node,
  '/persistentvolumeclaims': async () => (await storage()).persistentVolumeClaim,
  '/persistentvolumes': async () => (await storage()).persistentVolume,
  '/pods': async () => (await import('./kinds/pod.ts')).pod,
  '/replicationcontrollers': async () => (await workloads()).replicationController,
  '/resourcequotas': async () => (await quota()).resourceQuota,
  '/secrets': async () => (await data()).secret,
  '/serviceaccounts': async () => (await access()).serviceAccount,
  '/services': async () => (await network()).service,
  'apps/daemonsets': async () => (await workloads()).daemonSet,
  'apps/deployments': async () => (await workloads()).deployment,
  'apps/replicasets': async () => (await workloads()).replicaSet,
  'apps/statefulsets': async () => (await workloads()).statefulSet,
  'autoscaling/horizontalpodautoscalers': async () => (await import('./kinds/autoscaler.ts')).autoscaler,
  'batch/cronjobs': async () => (await workloads()).cronJob,
  'batch/jobs': async () => (await workloads()).job,
  'certificates/certificatesigningrequests': async () => (await import('./kinds/certificate.ts')).certificateRequest,
  'discovery/endpointslices': async () => (await network()).endpointSlice,
  'networking/ingressclasses': async () => (await network()).ingressClass,
  'networking/ingresses': async () => (await network()).ingress,
  'networking/ipaddresses': async () => (await network()).ipAddress,
  'networking/networkpolicies': async () => (await import('./kinds/network-policy.ts')).networkPolicy,
  'networking/servicecidrs': async () => (await network()).serviceCidr,
  'policy/poddisruptionbudgets': async () => (await data()).podDisruptionBudget,
  'rbac.authorization/clusterrolebindings': async () => (await access()).roleBinding,
  'rbac.authorization/clusterroles': async () => (await access()).role,
  'rbac.authorization/rolebindings': async () => (await access()).roleBinding,
  'rbac.authorization/roles': async () => (await access()).role,
  'scheduling/priorityclasses': async () => (await data()).priorityClass,
  'storage/csinodes': async () => (await data()).csiNode,
  'storage/storageclasses': async () => (await storage()).storageClassDescription,
  'storage/volumeattributesclasses': async () => (await storage()).volumeAttributesClass,
};

/** The description of a built-in kind; undefined for others. */
export async function descriptionOf({ group, resource }: DiscoveredResource): Promise<Description | undefined> {
  return descriptions[`${shortGroup(group)}/${resource}`]?.();
}

/** The description of all fields. */
export async function genericDescription(): Promise<Description> {
  return (await import('./kinds/generic.ts')).generic;
}
