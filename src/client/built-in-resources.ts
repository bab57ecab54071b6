import type * as admissionv1 from '../gen/types/admissionregistration-v1.ts';
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

function namespaced<T extends ApiObject>(group: string, version: string): ResourceRow<T> {
  return { group, version, scope: 'namespace' };
}

function cluster<T extends ApiObject>(group: string, version: string): ResourceRow<T> {
  return { group, version, scope: 'cluster' };
}

/** The built-in resources by name, with the types of their objects in the most stable version. */
const rows = {
  apiservices: cluster<apiregistrationv1.APIService>('apiregistration.', 'v1'),
  bindings: namespaced<corev1.Binding>('', 'v1'),
  certificatesigningrequests: cluster<certificatesv1.CertificateSigningRequest>('certificates.', 'v1'),
  clusterrolebindings: cluster<rbacv1.ClusterRoleBinding>('rbac.authorization.', 'v1'),
  clusterroles: cluster<rbacv1.ClusterRole>('rbac.authorization.', 'v1'),
  clustertrustbundles: cluster<certificatesv1beta1.ClusterTrustBundle>('certificates.', 'v1beta1'),
  componentstatuses: cluster<corev1.ComponentStatus>('', 'v1'),
  configmaps: namespaced<corev1.ConfigMap>('', 'v1'),
  controllerrevisions: namespaced<appsv1.ControllerRevision>('apps', 'v1'),
  cronjobs: namespaced<batchv1.CronJob>('batch', 'v1'),
  csidrivers: cluster<storagev1.CSIDriver>('storage.', 'v1'),
  csinodes: cluster<storagev1.CSINode>('storage.', 'v1'),
  csistoragecapacities: namespaced<storagev1.CSIStorageCapacity>('storage.', 'v1beta1'),
  customresourcedefinitions: cluster<apiextensionsv1.CustomResourceDefinition>('apiextensions.', 'v1'),
  daemonsets: namespaced<appsv1.DaemonSet>('apps', 'v1'),
  deployments: namespaced<appsv1.Deployment>('apps', 'v1'),
  deviceclasses: cluster<resourcev1.DeviceClass>('resource.', 'v1'),
  devicetaintrules: cluster<resourcev1beta2.DeviceTaintRule>('resource.', 'v1beta2'),
  endpoints: namespaced<corev1.Endpoints>('', 'v1'),
  endpointslices: namespaced<discoveryv1.EndpointSlice>('discovery.', 'v1'),
  events: namespaced<corev1.Event>('', 'v1'),
  flowschemas: cluster<flowcontrolv1beta2.FlowSchema>('flowcontrol.', 'v1beta2'),
  horizontalpodautoscalers: namespaced<autoscalingv2.HorizontalPodAutoscaler>('autoscaling', 'v2'),
  ingressclasses: cluster<networkingv1.IngressClass>('networking.', 'v1'),
  ingresses: namespaced<networkingv1.Ingress>('networking.', 'v1'),
  ipaddresses: cluster<networkingv1.IPAddress>('networking.', 'v1'),
  jobs: namespaced<batchv1.Job>('batch', 'v1'),
  leasecandidates: namespaced<coordinationv1beta1.LeaseCandidate>('coordination.', 'v1beta1'),
  leases: namespaced<coordinationv1.Lease>('coordination.', 'v1'),
  limitranges: namespaced<corev1.LimitRange>('', 'v1'),
  localsubjectaccessreviews: namespaced<authorizationv1.LocalSubjectAccessReview>('authorization.', 'v1'),
  mutatingadmissionpolicies: cluster<admissionv1.MutatingAdmissionPolicy>('admissionregistration.', 'v1'),
  mutatingadmissionpolicybindings: cluster<admissionv1.MutatingAdmissionPolicyBinding>('admissionregistration.', 'v1'),
  mutatingwebhookconfigurations: cluster<admissionv1.MutatingWebhookConfiguration>('admissionregistration.', 'v1'),
  namespaces: cluster<corev1.Namespace>('', 'v1'),
  networkpolicies: namespaced<networkingv1.NetworkPolicy>('networking.', 'v1'),
  nodes: cluster<corev1.Node>('', 'v1'),
  persistentvolumeclaims: namespaced<corev1.PersistentVolumeClaim>('', 'v1'),
  persistentvolumes: cluster<corev1.PersistentVolume>('', 'v1'),
  podcertificaterequests: namespaced<certificatesv1beta1.PodCertificateRequest>('certificates.', 'v1beta1'),
  poddisruptionbudgets: namespaced<policyv1.PodDisruptionBudget>('policy', 'v1'),
  podgroups: namespaced<schedulingv1alpha2.PodGroup>('scheduling.', 'v1alpha2'),
  pods: namespaced<corev1.Pod>('', 'v1'),
  podsecuritypolicies: cluster<policyv1beta1.PodSecurityPolicy>('policy', 'v1beta1'),
  podtemplates: namespaced<corev1.PodTemplate>('', 'v1'),
  priorityclasses: cluster<schedulingv1.PriorityClass>('scheduling.', 'v1'),
  prioritylevelconfigurations: cluster<flowcontrolv1beta2.PriorityLevelConfiguration>('flowcontrol.', 'v1beta2'),
  replicasets: namespaced<appsv1.ReplicaSet>('apps', 'v1'),
  replicationcontrollers: namespaced<corev1.ReplicationController>('', 'v1'),
  resourceclaims: namespaced<resourcev1.ResourceClaim>('resource.', 'v1'),
  resourceclaimtemplates: namespaced<resourcev1.ResourceClaimTemplate>('resource.', 'v1'),
  resourcepoolstatusrequests: cluster<resourcev1alpha3.ResourcePoolStatusRequest>('resource.', 'v1alpha3'),
  resourcequotas: namespaced<corev1.ResourceQuota>('', 'v1'),
  resourceslices: cluster<resourcev1.ResourceSlice>('resource.', 'v1'),
  rolebindings: namespaced<rbacv1.RoleBinding>('rbac.authorization.', 'v1'),
  roles: namespaced<rbacv1.Role>('rbac.authorization.', 'v1'),
  runtimeclasses: cluster<nodev1.RuntimeClass>('node.', 'v1'),
  secrets: namespaced<corev1.Secret>('', 'v1'),
  selfsubjectaccessreviews: cluster<authorizationv1.SelfSubjectAccessReview>('authorization.', 'v1'),
  selfsubjectreviews: cluster<authenticationv1.SelfSubjectReview>('authentication.', 'v1'),
  selfsubjectrulesreviews: cluster<authorizationv1.SelfSubjectRulesReview>('authorization.', 'v1'),
  serviceaccounts: namespaced<corev1.ServiceAccount>('', 'v1'),
  servicecidrs: cluster<networkingv1.ServiceCIDR>('networking.', 'v1'),
  services: namespaced<corev1.Service>('', 'v1'),
  statefulsets: namespaced<appsv1.StatefulSet>('apps', 'v1'),
  storageclasses: cluster<storagev1.StorageClass>('storage.', 'v1'),
  storageversionmigrations: cluster<storagemigrationv1beta1.StorageVersionMigration>('storagemigration.', 'v1beta1'),
  storageversions: cluster<internalapiserverv1alpha1.StorageVersion>('internal.apiserver.', 'v1alpha1'),
  subjectaccessreviews: cluster<authorizationv1.SubjectAccessReview>('authorization.', 'v1'),
  tokenreviews: cluster<authenticationv1.TokenReview>('authentication.', 'v1'),
  validatingadmissionpolicies: cluster<admissionv1.ValidatingAdmissionPolicy>('admissionregistration.', 'v1'),
  validatingadmissionpolicybindings: cluster<admissionv1.ValidatingAdmissionPolicyBinding>(
    'admissionregistration.',
    'v1',
  ),
  validatingwebhookconfigurations: cluster<admissionv1.ValidatingWebhookConfiguration>('admissionregistration.', 'v1'),
  volumeattachments: cluster<storagev1.VolumeAttachment>('storage.', 'v1'),
  volumeattributesclasses: cluster<storagev1.VolumeAttributesClass>('storage.', 'v1'),
  workloads: namespaced<schedulingv1alpha2.Workload>('scheduling.', 'v1alpha2'),
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
