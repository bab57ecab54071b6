import type * as admissionregistrationv1 from '../gen/types/admissionregistration-v1.ts';
import type * as apiextensionsv1 from '../gen/types/apiextensions-v1.ts';
import type * as apiregistrationv1 from '../gen/types/apiregistration-v1.ts';
import type * as appsv1 from '../gen/types/apps-v1.ts';
import type * as authenticationv1 from '../gen/types/authentication-v1.ts';
import type * as authorizationv1 from '../gen/types/authorization-v1.ts';
import type * as autoscalingv2 from '../gen/types/autoscaling-v2.ts';
import type * as batchv1 from '../gen/types/batch-v1.ts';
import type * as certificatesv1 from '../gen/types/certificates-v1.ts';
import type * as coordinationv1 from '../gen/types/coordination-v1.ts';
import type * as corev1 from '../gen/types/core-v1.ts';
import type * as discoveryv1 from '../gen/types/discovery-v1.ts';
import type * as flowcontrolv1beta2 from '../gen/types/flowcontrol-v1beta2.ts';
import type * as networkingv1 from '../gen/types/networking-v1.ts';
import type * as nodev1 from '../gen/types/node-v1.ts';
import type * as policyv1 from '../gen/types/policy-v1.ts';
import type * as policyv1beta1 from '../gen/types/policy-v1beta1.ts';
import type * as rbacv1 from '../gen/types/rbac-authorization-v1.ts';
import type * as schedulingv1 from '../gen/types/scheduling-v1.ts';
import type * as storagev1 from '../gen/types/storage-v1.ts';
import { type IdentifierSet, identifiersOf } from '../identifiers/identifiers.ts';
import type { ApiObject } from './api-object.ts';
import type { ResourceReference } from './resource-path.ts';

/** The built-in resources by name, with the types of their objects in the most stable version. */
interface BuiltInObjects {
  apiservices: apiregistrationv1.APIService;
  bindings: corev1.Binding;
  certificatesigningrequests: certificatesv1.CertificateSigningRequest;
  clusterrolebindings: rbacv1.ClusterRoleBinding;
  clusterroles: rbacv1.ClusterRole;
  componentstatuses: corev1.ComponentStatus;
  configmaps: corev1.ConfigMap;
  controllerrevisions: appsv1.ControllerRevision;
  cronjobs: batchv1.CronJob;
  csidrivers: storagev1.CSIDriver;
  csinodes: storagev1.CSINode;
  csistoragecapacities: storagev1.CSIStorageCapacity;
  customresourcedefinitions: apiextensionsv1.CustomResourceDefinition;
  daemonsets: appsv1.DaemonSet;
  deployments: appsv1.Deployment;
  endpoints: corev1.Endpoints;
  endpointslices: discoveryv1.EndpointSlice;
  events: corev1.Event;
  flowschemas: flowcontrolv1beta2.FlowSchema;
  horizontalpodautoscalers: autoscalingv2.HorizontalPodAutoscaler;
  ingressclasses: networkingv1.IngressClass;
  ingresses: networkingv1.Ingress;
  jobs: batchv1.Job;
  leases: coordinationv1.Lease;
  limitranges: corev1.LimitRange;
  localsubjectaccessreviews: authorizationv1.LocalSubjectAccessReview;
  mutatingwebhookconfigurations: admissionregistrationv1.MutatingWebhookConfiguration;
  namespaces: corev1.Namespace;
  networkpolicies: networkingv1.NetworkPolicy;
  nodes: corev1.Node;
  persistentvolumeclaims: corev1.PersistentVolumeClaim;
  persistentvolumes: corev1.PersistentVolume;
  poddisruptionbudgets: policyv1.PodDisruptionBudget;
  pods: corev1.Pod;
  podsecuritypolicies: policyv1beta1.PodSecurityPolicy;
  podtemplates: corev1.PodTemplate;
  priorityclasses: schedulingv1.PriorityClass;
  prioritylevelconfigurations: flowcontrolv1beta2.PriorityLevelConfiguration;
  replicasets: appsv1.ReplicaSet;
  replicationcontrollers: corev1.ReplicationController;
  resourcequotas: corev1.ResourceQuota;
  rolebindings: rbacv1.RoleBinding;
  roles: rbacv1.Role;
  runtimeclasses: nodev1.RuntimeClass;
  secrets: corev1.Secret;
  selfsubjectaccessreviews: authorizationv1.SelfSubjectAccessReview;
  selfsubjectreviews: authenticationv1.SelfSubjectReview;
  selfsubjectrulesreviews: authorizationv1.SelfSubjectRulesReview;
  serviceaccounts: corev1.ServiceAccount;
  services: corev1.Service;
  statefulsets: appsv1.StatefulSet;
  storageclasses: storagev1.StorageClass;
  subjectaccessreviews: authorizationv1.SubjectAccessReview;
  tokenreviews: authenticationv1.TokenReview;
  validatingwebhookconfigurations: admissionregistrationv1.ValidatingWebhookConfiguration;
  volumeattachments: storagev1.VolumeAttachment;
}

/** References to the built-in resources, typed by their objects. */
export type BuiltInResources = {
  readonly [Name in keyof BuiltInObjects]: ResourceReference<BuiltInObjects[Name]>;
};

type ResourceRow = readonly [group: string, version: string, scope?: 'cluster'];

/** A group that ends with a dot is completed with the domain of the server. */
const rows: Readonly<Record<keyof BuiltInObjects, ResourceRow>> = {
  apiservices: ['apiregistration.', 'v1', 'cluster'],
  bindings: ['', 'v1'],
  certificatesigningrequests: ['certificates.', 'v1', 'cluster'],
  clusterrolebindings: ['rbac.authorization.', 'v1', 'cluster'],
  clusterroles: ['rbac.authorization.', 'v1', 'cluster'],
  componentstatuses: ['', 'v1', 'cluster'],
  configmaps: ['', 'v1'],
  controllerrevisions: ['apps', 'v1'],
  cronjobs: ['batch', 'v1'],
  csidrivers: ['storage.', 'v1', 'cluster'],
  csinodes: ['storage.', 'v1', 'cluster'],
  csistoragecapacities: ['storage.', 'v1beta1'],
  customresourcedefinitions: ['apiextensions.', 'v1', 'cluster'],
  daemonsets: ['apps', 'v1'],
  deployments: ['apps', 'v1'],
  endpoints: ['', 'v1'],
  endpointslices: ['discovery.', 'v1'],
  events: ['', 'v1'],
  flowschemas: ['flowcontrol.', 'v1beta2', 'cluster'],
  horizontalpodautoscalers: ['autoscaling', 'v2'],
  ingressclasses: ['networking.', 'v1', 'cluster'],
  ingresses: ['networking.', 'v1'],
  jobs: ['batch', 'v1'],
  leases: ['coordination.', 'v1'],
  limitranges: ['', 'v1'],
  localsubjectaccessreviews: ['authorization.', 'v1'],
  mutatingwebhookconfigurations: ['admissionregistration.', 'v1', 'cluster'],
  namespaces: ['', 'v1', 'cluster'],
  networkpolicies: ['networking.', 'v1'],
  nodes: ['', 'v1', 'cluster'],
  persistentvolumeclaims: ['', 'v1'],
  persistentvolumes: ['', 'v1', 'cluster'],
  poddisruptionbudgets: ['policy', 'v1'],
  pods: ['', 'v1'],
  podsecuritypolicies: ['policy', 'v1beta1', 'cluster'],
  podtemplates: ['', 'v1'],
  priorityclasses: ['scheduling.', 'v1', 'cluster'],
  prioritylevelconfigurations: ['flowcontrol.', 'v1beta2', 'cluster'],
  replicasets: ['apps', 'v1'],
  replicationcontrollers: ['', 'v1'],
  resourcequotas: ['', 'v1'],
  rolebindings: ['rbac.authorization.', 'v1'],
  roles: ['rbac.authorization.', 'v1'],
  runtimeclasses: ['node.', 'v1', 'cluster'],
  secrets: ['', 'v1'],
  selfsubjectaccessreviews: ['authorization.', 'v1', 'cluster'],
  selfsubjectreviews: ['authentication.', 'v1', 'cluster'],
  selfsubjectrulesreviews: ['authorization.', 'v1', 'cluster'],
  serviceaccounts: ['', 'v1'],
  services: ['', 'v1'],
  statefulsets: ['apps', 'v1'],
  storageclasses: ['storage.', 'v1', 'cluster'],
  subjectaccessreviews: ['authorization.', 'v1', 'cluster'],
  tokenreviews: ['authentication.', 'v1', 'cluster'],
  validatingwebhookconfigurations: ['admissionregistration.', 'v1', 'cluster'],
  volumeattachments: ['storage.', 'v1', 'cluster'],
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
    ([resource, [group, version, scope]]): [string, ResourceReference<ApiObject>] => [
      resource,
      { group: groupOf(group), version, resource, namespaced: scope !== 'cluster' },
    ],
  );
  // The rows have the names of the type, and references carry the type of their objects only there.
  return Object.fromEntries(references) as unknown as BuiltInResources;
}
