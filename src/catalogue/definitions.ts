import { warningsOf } from '../resources/warnings/kind-warnings.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import { mutatingAdmissionPolicies } from '../resources/admissionregistration/mutatingadmissionpolicies/definition.ts';
import { mutatingAdmissionPolicyBindings } from '../resources/admissionregistration/mutatingadmissionpolicybindings/definition.ts';
import { mutatingWebhookConfigurations } from '../resources/admissionregistration/mutatingwebhookconfigurations/definition.ts';
import { validatingAdmissionPolicies } from '../resources/admissionregistration/validatingadmissionpolicies/definition.ts';
import { validatingAdmissionPolicyBindings } from '../resources/admissionregistration/validatingadmissionpolicybindings/definition.ts';
import { validatingWebhookConfigurations } from '../resources/admissionregistration/validatingwebhookconfigurations/definition.ts';
import { customResourceDefinitions } from '../apiextensions/customresourcedefinitions/definition.ts';
import { apiServices } from '../resources/apiregistration/apiservices/definition.ts';
import { controllerRevisions } from '../resources/apps/controllerrevisions/definition.ts';
import { daemonSets } from '../resources/apps/daemonsets/definition.ts';
import { deployments } from '../resources/apps/deployments/definition.ts';
import { replicaSets } from '../resources/apps/replicasets/definition.ts';
import { statefulSets } from '../resources/apps/statefulsets/definition.ts';
import { selfSubjectReviews } from '../resources/authentication/selfsubjectreviews/definition.ts';
import { tokenReviews } from '../resources/authentication/tokenreviews/definition.ts';
import { localSubjectAccessReviews } from '../resources/authorization/localsubjectaccessreviews/definition.ts';
import { selfSubjectAccessReviews } from '../resources/authorization/selfsubjectaccessreviews/definition.ts';
import { selfSubjectRulesReviews } from '../resources/authorization/selfsubjectrulesreviews/definition.ts';
import { subjectAccessReviews } from '../resources/authorization/subjectaccessreviews/definition.ts';
import { horizontalPodAutoscalers } from '../resources/autoscaling/horizontalpodautoscalers/definition.ts';
import { cronJobs } from '../resources/batch/cronjobs/definition.ts';
import { jobs } from '../resources/batch/jobs/definition.ts';
import { certificateSigningRequests } from '../resources/certificates/certificatesigningrequests/definition.ts';
import { clusterTrustBundles } from '../resources/certificates/clustertrustbundles/definition.ts';
import { podCertificateRequests } from '../resources/certificates/podcertificaterequests/definition.ts';
import { leaseCandidates } from '../resources/coordination/leasecandidates/definition.ts';
import { storageVersions } from '../resources/internal.apiserver/storageversions/definition.ts';
import { ipAddresses } from '../resources/networking/ipaddresses/definition.ts';
import { serviceCidrs } from '../resources/networking/servicecidrs/definition.ts';
import { leases } from '../resources/coordination/leases/definition.ts';
import { bindings } from '../resources/core/bindings/definition.ts';
import { componentStatuses } from '../resources/core/componentstatuses/definition.ts';
import { configMaps } from '../resources/core/configmaps/definition.ts';
import { endpoints } from '../resources/core/endpoints/definition.ts';
import { events } from '../resources/core/events/definition.ts';
import { limitRanges } from '../resources/core/limitranges/definition.ts';
import { namespaces } from '../resources/core/namespaces/definition.ts';
import { nodes } from '../resources/core/nodes/definition.ts';
import { persistentVolumeClaims } from '../resources/core/persistentvolumeclaims/definition.ts';
import { persistentVolumes } from '../resources/core/persistentvolumes/definition.ts';
import { pods } from '../resources/core/pods/definition.ts';
import { podTemplates } from '../resources/core/podtemplates/definition.ts';
import { replicationControllers } from '../resources/core/replicationcontrollers/definition.ts';
import { resourceQuotas } from '../resources/core/resourcequotas/definition.ts';
import { secrets } from '../resources/core/secrets/definition.ts';
import { serviceAccounts } from '../resources/core/serviceaccounts/definition.ts';
import { services } from '../resources/core/services/definition.ts';
import { endpointSlices } from '../resources/discovery/endpointslices/definition.ts';
import { eventsOfTheirGroup } from '../resources/events/events/definition.ts';
import { extensionsResources } from '../resources/extensions/definition.ts';
import { flowSchemas } from '../resources/flowcontrol/flowschemas/definition.ts';
import { priorityLevelConfigurations } from '../resources/flowcontrol/prioritylevelconfigurations/definition.ts';
import { ingressClasses } from '../resources/networking/ingressclasses/definition.ts';
import { ingresses } from '../resources/networking/ingresses/definition.ts';
import { networkPolicies } from '../resources/networking/networkpolicies/definition.ts';
import { runtimeClasses } from '../resources/node/runtimeclasses/definition.ts';
import { podDisruptionBudgets } from '../resources/policy/poddisruptionbudgets/definition.ts';
import { podSecurityPolicies } from '../resources/policy/podsecuritypolicies/definition.ts';
import { clusterRoleBindings } from '../resources/rbac.authorization/clusterrolebindings/definition.ts';
import { clusterRoles } from '../resources/rbac.authorization/clusterroles/definition.ts';
import { roleBindings } from '../resources/rbac.authorization/rolebindings/definition.ts';
import { roles } from '../resources/rbac.authorization/roles/definition.ts';
import { deviceClasses } from '../resources/resource/deviceclasses/definition.ts';
import { deviceTaintRules } from '../resources/resource/devicetaintrules/definition.ts';
import { resourceClaims } from '../resources/resource/resourceclaims/definition.ts';
import { resourceClaimTemplates } from '../resources/resource/resourceclaimtemplates/definition.ts';
import { resourcePoolStatusRequests } from '../resources/resource/resourcepoolstatusrequests/definition.ts';
import { resourceSlices } from '../resources/resource/resourceslices/definition.ts';
import { podGroups } from '../resources/scheduling/podgroups/definition.ts';
import { priorityClasses } from '../resources/scheduling/priorityclasses/definition.ts';
import { workloads } from '../resources/scheduling/workloads/definition.ts';
import { type ServedApi, everyVersion, servedDefinitions } from './served-definitions.ts';
import { csiDrivers } from '../resources/storage/csidrivers/definition.ts';
import { csiNodes } from '../resources/storage/csinodes/definition.ts';
import { csiStorageCapacities } from '../resources/storage/csistoragecapacities/definition.ts';
import { storageClasses } from '../resources/storage/storageclasses/definition.ts';
import { storageVersionMigrations } from '../resources/storagemigration/storageversionmigrations/definition.ts';
import { volumeAttachments } from '../resources/storage/volumeattachments/definition.ts';
import { volumeAttributesClasses } from '../resources/storage/volumeattributesclasses/definition.ts';

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
  clusterTrustBundles,
  podCertificateRequests,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
  ...extensionsResources,
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
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  volumeAttributesClasses,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  podGroups,
  priorityClasses,
  workloads,
  leaseCandidates,
  leases,
  runtimeClasses,
  endpointSlices,
  flowSchemas,
  priorityLevelConfigurations,
  deviceClasses,
  deviceTaintRules,
  resourceClaims,
  resourceClaimTemplates,
  resourcePoolStatusRequests,
  resourceSlices,
  storageVersionMigrations,
  storageVersions,
];

/** The definitions of all built-in resources, with all versions that the server knows. */
export function builtInDefinitions(identifiers: Identifiers): readonly ResourceDefinition[] {
  return builtIns.map((define) => withWarnings(define(identifiers)));
}

function withWarnings(definition: ResourceDefinition): ResourceDefinition {
  const warnings = warningsOf(definition.shortGroup, definition.resource);
  return warnings ? Object.freeze({ ...definition, warnings }) : definition;
}

/** Creates a catalogue of the built-in resources of a server, by default in all versions. */
export function builtInCatalogue(identifiers: Identifiers, surface: ServedApi = everyVersion): MutableCatalogue {
  return new MutableCatalogue(servedDefinitions(builtInDefinitions(identifiers), surface));
}
