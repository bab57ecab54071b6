import type { Identifiers } from '../identifiers/identifiers.ts';
import { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import { mutatingWebhookConfigurations } from './admissionregistration/mutatingwebhookconfigurations/definition.ts';
import { validatingWebhookConfigurations } from './admissionregistration/validatingwebhookconfigurations/definition.ts';
import { customResourceDefinitions } from './apiextensions/customresourcedefinitions/definition.ts';
import { apiServices } from './apiregistration/apiservices/definition.ts';
import { controllerRevisions } from './apps/controllerrevisions/definition.ts';
import { daemonSets } from './apps/daemonsets/definition.ts';
import { deployments } from './apps/deployments/definition.ts';
import { replicaSets } from './apps/replicasets/definition.ts';
import { statefulSets } from './apps/statefulsets/definition.ts';
import { selfSubjectReviews } from './authentication/selfsubjectreviews/definition.ts';
import { tokenReviews } from './authentication/tokenreviews/definition.ts';
import { localSubjectAccessReviews } from './authorization/localsubjectaccessreviews/definition.ts';
import { selfSubjectAccessReviews } from './authorization/selfsubjectaccessreviews/definition.ts';
import { selfSubjectRulesReviews } from './authorization/selfsubjectrulesreviews/definition.ts';
import { subjectAccessReviews } from './authorization/subjectaccessreviews/definition.ts';
import { horizontalPodAutoscalers } from './autoscaling/horizontalpodautoscalers/definition.ts';
import { cronJobs } from './batch/cronjobs/definition.ts';
import { jobs } from './batch/jobs/definition.ts';
import { certificateSigningRequests } from './certificates/certificatesigningrequests/definition.ts';
import { leases } from './coordination/leases/definition.ts';
import { bindings } from './core/bindings/definition.ts';
import { componentStatuses } from './core/componentstatuses/definition.ts';
import { configMaps } from './core/configmaps/definition.ts';
import { endpoints } from './core/endpoints/definition.ts';
import { events } from './core/events/definition.ts';
import { limitRanges } from './core/limitranges/definition.ts';
import { namespaces } from './core/namespaces/definition.ts';
import { nodes } from './core/nodes/definition.ts';
import { persistentVolumeClaims } from './core/persistentvolumeclaims/definition.ts';
import { persistentVolumes } from './core/persistentvolumes/definition.ts';
import { pods } from './core/pods/definition.ts';
import { podTemplates } from './core/podtemplates/definition.ts';
import { replicationControllers } from './core/replicationcontrollers/definition.ts';
import { resourceQuotas } from './core/resourcequotas/definition.ts';
import { secrets } from './core/secrets/definition.ts';
import { serviceAccounts } from './core/serviceaccounts/definition.ts';
import { services } from './core/services/definition.ts';
import { endpointSlices } from './discovery/endpointslices/definition.ts';
import { eventsOfTheirGroup } from './events/events/definition.ts';
import { extensionsDaemonSets } from './extensions/daemonsets/definition.ts';
import { extensionsDeployments } from './extensions/deployments/definition.ts';
import { extensionsIngresses } from './extensions/ingresses/definition.ts';
import { extensionsNetworkPolicies } from './extensions/networkpolicies/definition.ts';
import { extensionsPodSecurityPolicies } from './extensions/podsecuritypolicies/definition.ts';
import { extensionsReplicaSets } from './extensions/replicasets/definition.ts';
import { flowSchemas } from './flowcontrol/flowschemas/definition.ts';
import { priorityLevelConfigurations } from './flowcontrol/prioritylevelconfigurations/definition.ts';
import { ingressClasses } from './networking/ingressclasses/definition.ts';
import { ingresses } from './networking/ingresses/definition.ts';
import { networkPolicies } from './networking/networkpolicies/definition.ts';
import { runtimeClasses } from './node/runtimeclasses/definition.ts';
import { podDisruptionBudgets } from './policy/poddisruptionbudgets/definition.ts';
import { podSecurityPolicies } from './policy/podsecuritypolicies/definition.ts';
import { clusterRoleBindings } from './rbac.authorization/clusterrolebindings/definition.ts';
import { clusterRoles } from './rbac.authorization/clusterroles/definition.ts';
import { roleBindings } from './rbac.authorization/rolebindings/definition.ts';
import { roles } from './rbac.authorization/roles/definition.ts';
import { priorityClasses } from './scheduling/priorityclasses/definition.ts';
import { type ApiSurface, everyVersion, servedDefinitions } from './served-definitions.ts';
import { csiDrivers } from './storage/csidrivers/definition.ts';
import { csiNodes } from './storage/csinodes/definition.ts';
import { csiStorageCapacities } from './storage/csistoragecapacities/definition.ts';
import { storageClasses } from './storage/storageclasses/definition.ts';
import { volumeAttachments } from './storage/volumeattachments/definition.ts';

/** All built-in resources, with the groups in the order of discovery. */
const builtIns = [
  bindings,
  componentStatuses,
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
  apiServices,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  eventsOfTheirGroup,
  selfSubjectReviews,
  tokenReviews,
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  certificateSigningRequests,
  ingressClasses,
  ingresses,
  networkPolicies,
  extensionsDaemonSets,
  extensionsDeployments,
  extensionsIngresses,
  extensionsNetworkPolicies,
  extensionsPodSecurityPolicies,
  extensionsReplicaSets,
  podDisruptionBudgets,
  podSecurityPolicies,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  priorityClasses,
  leases,
  runtimeClasses,
  endpointSlices,
  flowSchemas,
  priorityLevelConfigurations,
];

/** The definitions of all built-in resources, with all versions that the server knows. */
export function builtInDefinitions(identifiers: Identifiers): readonly ResourceDefinition[] {
  return builtIns.map((define) => define(identifiers));
}

/** Creates a catalogue of the built-in resources of a server, by default in all versions. */
export function builtInCatalogue(identifiers: Identifiers, surface: ApiSurface = everyVersion): MutableCatalogue {
  return new MutableCatalogue(servedDefinitions(builtInDefinitions(identifiers), surface));
}
