import type { Job } from '../gen/stored/batch-v1.ts';
import type { CertificateSigningRequest } from '../gen/stored/certificates-v1.ts';
import type { ClusterTrustBundle, PodCertificateRequest } from '../gen/stored/certificates-v1beta1.ts';
import type { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, Service } from '../gen/stored/core-v1.ts';
import type { Ingress } from '../gen/stored/networking-v1.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../gen/stored/rbac-authorization-v1.ts';
import type { PriorityClass } from '../gen/stored/scheduling-v1.ts';
import type { PodGroup } from '../gen/stored/scheduling-v1alpha2.ts';
import type { VolumeAttributesClass } from '../gen/stored/storage-v1.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { AdmissionAttributes, Operation } from './admission.ts';

/** The types of the objects of resources that plugins are about, by plural name. */
interface AdmittedKinds {
  certificatesigningrequests: CertificateSigningRequest;
  clusterrolebindings: ClusterRoleBinding;
  clusterroles: ClusterRole;
  clustertrustbundles: ClusterTrustBundle;
  ingresses: Ingress;
  jobs: Job;
  namespaces: Namespace;
  nodes: Node;
  persistentvolumeclaims: PersistentVolumeClaim;
  persistentvolumes: PersistentVolume;
  podcertificaterequests: PodCertificateRequest;
  podgroups: PodGroup;
  pods: Pod;
  priorityclasses: PriorityClass;
  rolebindings: RoleBinding;
  roles: Role;
  services: Service;
  volumeattributesclasses: VolumeAttributesClass;
}

/** A create or an update of an object of type T. */
export interface ObjectWrite<T extends JsonObject> extends AdmissionAttributes<T> {
  readonly object: T;
}

/** The sub-resources of these that have the same kind. */
type KindSubresource = 'approval' | 'ephemeralcontainers' | 'resize' | 'status';

/** Reports whether a request is one of `operations` on a resource or one of its sub-resources. */
export function isWriteTo<Name extends keyof AdmittedKinds>(
  attributes: AdmissionAttributes,
  group: string,
  path: Name | `${Name}/${KindSubresource}`,
  ...operations: readonly ('CREATE' | 'UPDATE')[]
): attributes is ObjectWrite<AdmittedKinds[Name]> {
  const { resource, subresource, object } = attributes;
  return (
    path === (subresource === '' ? resource.resource : `${resource.resource}/${subresource}`) &&
    resource.group === group &&
    object !== undefined &&
    (operations as readonly Operation[]).includes(attributes.operation)
  );
}
