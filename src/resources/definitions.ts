import type { ResourceDefinition } from '../registry/strategy.ts';
import { definition as mutatingWebhookConfigurations } from './admissionregistration/mutatingwebhookconfigurations/strategy.ts';
import { definition as validatingWebhookConfigurations } from './admissionregistration/validatingwebhookconfigurations/strategy.ts';
import { definition as customResourceDefinitions } from './apiextensions/customresourcedefinitions/strategy.ts';
import { definition as apiServices } from './apiregistration/apiservices/strategy.ts';
import { definition as controllerRevisions } from './apps/controllerrevisions/strategy.ts';
import { definition as daemonSets } from './apps/daemonsets/strategy.ts';
import { definition as deployments } from './apps/deployments/strategy.ts';
import { definition as replicaSets } from './apps/replicasets/strategy.ts';
import { definition as statefulSets } from './apps/statefulsets/strategy.ts';
import { definition as horizontalPodAutoscalers } from './autoscaling/horizontalpodautoscalers/strategy.ts';
import { definition as cronJobs } from './batch/cronjobs/strategy.ts';
import { definition as jobs } from './batch/jobs/strategy.ts';
import { definition as certificateSigningRequests } from './certificates/certificatesigningrequests/strategy.ts';
import { definition as leases } from './coordination/leases/strategy.ts';
import { definition as configMaps } from './core/configmaps/strategy.ts';
import { definition as endpoints } from './core/endpoints/strategy.ts';
import { definition as events } from './core/events/strategy.ts';
import { definition as limitRanges } from './core/limitranges/strategy.ts';
import { definition as namespaces } from './core/namespaces/strategy.ts';
import { definition as nodes } from './core/nodes/strategy.ts';
import { definition as persistentVolumeClaims } from './core/persistentvolumeclaims/strategy.ts';
import { definition as persistentVolumes } from './core/persistentvolumes/strategy.ts';
import { definition as pods } from './core/pods/strategy.ts';
import { definition as podTemplates } from './core/podtemplates/strategy.ts';
import { definition as replicationControllers } from './core/replicationcontrollers/strategy.ts';
import { definition as resourceQuotas } from './core/resourcequotas/strategy.ts';
import { definition as secrets } from './core/secrets/strategy.ts';
import { definition as serviceAccounts } from './core/serviceaccounts/strategy.ts';
import { definition as services } from './core/services/strategy.ts';
import { definition as endpointSlices } from './discovery/endpointslices/strategy.ts';
import { definition as flowSchemas } from './flowcontrol/flowschemas/strategy.ts';
import { definition as priorityLevelConfigurations } from './flowcontrol/prioritylevelconfigurations/strategy.ts';
import { definition as ingressClasses } from './networking/ingressclasses/strategy.ts';
import { definition as ingresses } from './networking/ingresses/strategy.ts';
import { definition as networkPolicies } from './networking/networkpolicies/strategy.ts';
import { definition as runtimeClasses } from './node/runtimeclasses/strategy.ts';
import { definition as podDisruptionBudgets } from './policy/poddisruptionbudgets/strategy.ts';
import { definition as podSecurityPolicies } from './policy/podsecuritypolicies/strategy.ts';
import { definition as clusterRoleBindings } from './rbac.authorization/clusterrolebindings/strategy.ts';
import { definition as clusterRoles } from './rbac.authorization/clusterroles/strategy.ts';
import { definition as roleBindings } from './rbac.authorization/rolebindings/strategy.ts';
import { definition as roles } from './rbac.authorization/roles/strategy.ts';
import { definition as priorityClasses } from './scheduling/priorityclasses/strategy.ts';
import { definition as csiDrivers } from './storage/csidrivers/strategy.ts';
import { definition as csiNodes } from './storage/csinodes/strategy.ts';
import { definition as csiStorageCapacities } from './storage/csistoragecapacities/strategy.ts';
import { definition as storageClasses } from './storage/storageclasses/strategy.ts';
import { definition as volumeAttachments } from './storage/volumeattachments/strategy.ts';

/** What is special about each resource; one that is not listed has nothing special. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  apiServices,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  certificateSigningRequests,
  leases,
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  endpointSlices,
  flowSchemas,
  priorityLevelConfigurations,
  ingressClasses,
  ingresses,
  networkPolicies,
  runtimeClasses,
  podDisruptionBudgets,
  podSecurityPolicies,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  priorityClasses,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
];
