import type * as admissionregistrationv1 from '../gen/types/admissionregistration-v1.ts';
import type * as apiextensionsv1 from '../gen/types/apiextensions-v1.ts';
import type * as apiregistrationv1 from '../gen/types/apiregistration-v1.ts';
import type * as appsv1 from '../gen/types/apps-v1.ts';
import type * as authenticationv1 from '../gen/types/authentication-v1.ts';
import type * as authorizationv1 from '../gen/types/authorization-v1.ts';
import type * as autoscalingv2 from '../gen/types/autoscaling-v2.ts';
import type * as batchv1 from '../gen/types/batch-v1.ts';
import type * as certificatesv1beta1 from '../gen/types/certificates-v1beta1.ts';
import type * as certificatesv1 from '../gen/types/certificates-v1.ts';
import type * as coordinationv1beta1 from '../gen/types/coordination-v1beta1.ts';
import type * as coordinationv1 from '../gen/types/coordination-v1.ts';
import type * as corev1 from '../gen/types/core-v1.ts';
import type * as discoveryv1 from '../gen/types/discovery-v1.ts';
import type * as flowcontrolv1beta2 from '../gen/types/flowcontrol-v1beta2.ts';
import type * as internalapiserverv1alpha1 from '../gen/types/internal-apiserver-v1alpha1.ts';
import type * as networkingv1 from '../gen/types/networking-v1.ts';
import type * as nodev1 from '../gen/types/node-v1.ts';
import type * as policyv1 from '../gen/types/policy-v1.ts';
import type * as policyv1beta1 from '../gen/types/policy-v1beta1.ts';
import type * as rbacv1 from '../gen/types/rbac-authorization-v1.ts';
import type * as resourcev1 from '../gen/types/resource-v1.ts';
import type * as resourcev1alpha3 from '../gen/types/resource-v1alpha3.ts';
import type * as resourcev1beta2 from '../gen/types/resource-v1beta2.ts';
import type * as schedulingv1 from '../gen/types/scheduling-v1.ts';
import type * as schedulingv1alpha2 from '../gen/types/scheduling-v1alpha2.ts';
import type * as storagemigrationv1beta1 from '../gen/types/storagemigration-v1beta1.ts';
import type * as storagev1 from '../gen/types/storage-v1.ts';
import { type IdentifierSet, identifiersOf } from '../identifiers/identifiers.ts';
import type { ApiObject } from './api-object.ts';
import type { ResourceReference } from './resource-path.ts';

/** A built-in resource. A group that ends with a dot is completed with the domain of the server. */
interface ResourceRow<T extends ApiObject> {
  readonly group: string;
  readonly version: string;
  readonly scope: 'cluster' | 'namespace';
  /** Never set: the row carries the type of its objects. */
  readonly object?: T;
}

function row<T extends ApiObject>(
  group: string,
  version: string,
  scope: ResourceRow<T>['scope'] = 'namespace',
): ResourceRow<T> {
  return { group, version, scope };
}

/** The built-in resources by name, with the types of their objects in the most stable version. */
const rows = {
  apiservices: row<apiregistrationv1.APIService>('apiregistration.', 'v1', 'cluster'),
  bindings: row<corev1.Binding>('', 'v1'),
  certificatesigningrequests: row<certificatesv1.CertificateSigningRequest>('certificates.', 'v1', 'cluster'),
  clusterrolebindings: row<rbacv1.ClusterRoleBinding>('rbac.authorization.', 'v1', 'cluster'),
  clusterroles: row<rbacv1.ClusterRole>('rbac.authorization.', 'v1', 'cluster'),
  clustertrustbundles: row<certificatesv1beta1.ClusterTrustBundle>('certificates.', 'v1beta1', 'cluster'),
  componentstatuses: row<corev1.ComponentStatus>('', 'v1', 'cluster'),
  configmaps: row<corev1.ConfigMap>('', 'v1'),
  controllerrevisions: row<appsv1.ControllerRevision>('apps', 'v1'),
  cronjobs: row<batchv1.CronJob>('batch', 'v1'),
  csidrivers: row<storagev1.CSIDriver>('storage.', 'v1', 'cluster'),
  csinodes: row<storagev1.CSINode>('storage.', 'v1', 'cluster'),
  csistoragecapacities: row<storagev1.CSIStorageCapacity>('storage.', 'v1beta1'),
  customresourcedefinitions: row<apiextensionsv1.CustomResourceDefinition>('apiextensions.', 'v1', 'cluster'),
  daemonsets: row<appsv1.DaemonSet>('apps', 'v1'),
  deployments: row<appsv1.Deployment>('apps', 'v1'),
  deviceclasses: row<resourcev1.DeviceClass>('resource.', 'v1', 'cluster'),
  devicetaintrules: row<resourcev1beta2.DeviceTaintRule>('resource.', 'v1beta2', 'cluster'),
  endpoints: row<corev1.Endpoints>('', 'v1'),
  endpointslices: row<discoveryv1.EndpointSlice>('discovery.', 'v1'),
  events: row<corev1.Event>('', 'v1'),
  flowschemas: row<flowcontrolv1beta2.FlowSchema>('flowcontrol.', 'v1beta2', 'cluster'),
  horizontalpodautoscalers: row<autoscalingv2.HorizontalPodAutoscaler>('autoscaling', 'v2'),
  ingressclasses: row<networkingv1.IngressClass>('networking.', 'v1', 'cluster'),
  ingresses: row<networkingv1.Ingress>('networking.', 'v1'),
  ipaddresses: row<networkingv1.IPAddress>('networking.', 'v1', 'cluster'),
  jobs: row<batchv1.Job>('batch', 'v1'),
  leasecandidates: row<coordinationv1beta1.LeaseCandidate>('coordination.', 'v1beta1'),
  leases: row<coordinationv1.Lease>('coordination.', 'v1'),
  limitranges: row<corev1.LimitRange>('', 'v1'),
  localsubjectaccessreviews: row<authorizationv1.LocalSubjectAccessReview>('authorization.', 'v1'),
  mutatingadmissionpolicies: row<admissionregistrationv1.MutatingAdmissionPolicy>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  mutatingadmissionpolicybindings: row<admissionregistrationv1.MutatingAdmissionPolicyBinding>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  mutatingwebhookconfigurations: row<admissionregistrationv1.MutatingWebhookConfiguration>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  namespaces: row<corev1.Namespace>('', 'v1', 'cluster'),
  networkpolicies: row<networkingv1.NetworkPolicy>('networking.', 'v1'),
  nodes: row<corev1.Node>('', 'v1', 'cluster'),
  persistentvolumeclaims: row<corev1.PersistentVolumeClaim>('', 'v1'),
  persistentvolumes: row<corev1.PersistentVolume>('', 'v1', 'cluster'),
  podcertificaterequests: row<certificatesv1beta1.PodCertificateRequest>('certificates.', 'v1beta1'),
  poddisruptionbudgets: row<policyv1.PodDisruptionBudget>('policy', 'v1'),
  podgroups: row<schedulingv1alpha2.PodGroup>('scheduling.', 'v1alpha2'),
  pods: row<corev1.Pod>('', 'v1'),
  podsecuritypolicies: row<policyv1beta1.PodSecurityPolicy>('policy', 'v1beta1', 'cluster'),
  podtemplates: row<corev1.PodTemplate>('', 'v1'),
  priorityclasses: row<schedulingv1.PriorityClass>('scheduling.', 'v1', 'cluster'),
  prioritylevelconfigurations: row<flowcontrolv1beta2.PriorityLevelConfiguration>('flowcontrol.', 'v1beta2', 'cluster'),
  replicasets: row<appsv1.ReplicaSet>('apps', 'v1'),
  replicationcontrollers: row<corev1.ReplicationController>('', 'v1'),
  resourceclaims: row<resourcev1.ResourceClaim>('resource.', 'v1'),
  resourceclaimtemplates: row<resourcev1.ResourceClaimTemplate>('resource.', 'v1'),
  resourcepoolstatusrequests: row<resourcev1alpha3.ResourcePoolStatusRequest>('resource.', 'v1alpha3', 'cluster'),
  resourcequotas: row<corev1.ResourceQuota>('', 'v1'),
  resourceslices: row<resourcev1.ResourceSlice>('resource.', 'v1', 'cluster'),
  rolebindings: row<rbacv1.RoleBinding>('rbac.authorization.', 'v1'),
  roles: row<rbacv1.Role>('rbac.authorization.', 'v1'),
  runtimeclasses: row<nodev1.RuntimeClass>('node.', 'v1', 'cluster'),
  secrets: row<corev1.Secret>('', 'v1'),
  selfsubjectaccessreviews: row<authorizationv1.SelfSubjectAccessReview>('authorization.', 'v1', 'cluster'),
  selfsubjectreviews: row<authenticationv1.SelfSubjectReview>('authentication.', 'v1', 'cluster'),
  selfsubjectrulesreviews: row<authorizationv1.SelfSubjectRulesReview>('authorization.', 'v1', 'cluster'),
  serviceaccounts: row<corev1.ServiceAccount>('', 'v1'),
  servicecidrs: row<networkingv1.ServiceCIDR>('networking.', 'v1', 'cluster'),
  services: row<corev1.Service>('', 'v1'),
  statefulsets: row<appsv1.StatefulSet>('apps', 'v1'),
  storageclasses: row<storagev1.StorageClass>('storage.', 'v1', 'cluster'),
  storageversionmigrations: row<storagemigrationv1beta1.StorageVersionMigration>(
    'storagemigration.',
    'v1beta1',
    'cluster',
  ),
  storageversions: row<internalapiserverv1alpha1.StorageVersion>('internal.apiserver.', 'v1alpha1', 'cluster'),
  subjectaccessreviews: row<authorizationv1.SubjectAccessReview>('authorization.', 'v1', 'cluster'),
  tokenreviews: row<authenticationv1.TokenReview>('authentication.', 'v1', 'cluster'),
  validatingadmissionpolicies: row<admissionregistrationv1.ValidatingAdmissionPolicy>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  validatingadmissionpolicybindings: row<admissionregistrationv1.ValidatingAdmissionPolicyBinding>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  validatingwebhookconfigurations: row<admissionregistrationv1.ValidatingWebhookConfiguration>(
    'admissionregistration.',
    'v1',
    'cluster',
  ),
  volumeattachments: row<storagev1.VolumeAttachment>('storage.', 'v1', 'cluster'),
  volumeattributesclasses: row<storagev1.VolumeAttributesClass>('storage.', 'v1', 'cluster'),
  workloads: row<schedulingv1alpha2.Workload>('scheduling.', 'v1alpha2'),
};

/** References to the built-in resources, typed by their objects. */
export type BuiltInResources = {
  readonly [Name in keyof typeof rows]: (typeof rows)[Name] extends ResourceRow<infer T> ? ResourceReference<T> : never;
};

/**
 * References to the built-in resources of a server, whose objects are typed.
 *
 * @example
 * const { pods } = builtInResources('kubernetes');
 * const { items } = await client.resource(pods).list();
 * for (const { spec } of items) console.log(spec?.containers[0]?.image);
 */
export function builtInResources(identifiers: IdentifierSet = 'cluster'): BuiltInResources {
  const { apiDomain, flowControlGroup } = identifiersOf(identifiers);
  const groupOf = (group: string): string => {
    if (group === 'flowcontrol.') return flowControlGroup;
    return group.endsWith('.') ? group + apiDomain : group;
  };
  const references = Object.entries(rows).map(
    ([resource, { group, version, scope }]): [string, ResourceReference<ApiObject>] => [
      resource,
      { group: groupOf(group), version, resource, namespaced: scope === 'namespace' },
    ],
  );
  // The rows have the names of the type, and references carry the type of their objects only there.
  return Object.fromEntries(references) as unknown as BuiltInResources;
}
