import type { ApiObject } from '../client/api-object.ts';
import type { ResourceReference } from '../client/resource-path.ts';
import type * as apps from '../gen/types/apps-v1.ts';
import type * as batch from '../gen/types/batch-v1.ts';
import type * as certificates from '../gen/types/certificates-v1.ts';
import type * as core from '../gen/types/core-v1.ts';
import type * as devices from '../gen/types/resource-v1.ts';
import type * as discovery from '../gen/types/discovery-v1.ts';
import type { ObjectMeta } from '../gen/types/meta-v1.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';

/** The metadata of an object that a server has stored. */
export interface StoredMetadata extends ObjectMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/** An object as a server returns it: with the metadata that it sets, and with its spec. */
export type Stored<T extends ApiObject> = Omit<T, 'metadata' | 'spec'> & {
  metadata: StoredMetadata;
} & (T extends { spec?: infer Spec } ? { spec: NonNullable<Spec> } : unknown);

/** A recorded template of a StatefulSet or a DaemonSet, as a patch that `rollout undo` applies. */
export type ControllerRevision = Omit<Stored<apps.ControllerRevision>, 'data'> & {
  data?: { spec?: { template?: core.PodTemplateSpec & { $patch?: string } } };
};
/** The resource of ControllerRevisions. */
export const controllerRevisions: ResourceReference<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  resource: 'controllerrevisions',
};

/** A stored CronJob. */
export type CronJob = Stored<batch.CronJob>;
/** The resource of CronJobs. */
export const cronJobs: ResourceReference<CronJob> = { group: 'batch', version: 'v1', resource: 'cronjobs' };

/** A stored DaemonSet. */
export type DaemonSet = Stored<apps.DaemonSet>;
/** The resource of DaemonSets. */
export const daemonSets: ResourceReference<DaemonSet> = { group: 'apps', version: 'v1', resource: 'daemonsets' };

/** A stored Deployment. */
export type Deployment = Stored<apps.Deployment>;
/** The resource of Deployments. */
export const deployments: ResourceReference<Deployment> = { group: 'apps', version: 'v1', resource: 'deployments' };

/** A stored Job. */
export type Job = Stored<batch.Job>;
/** The resource of Jobs. */
export const jobs: ResourceReference<Job> = { group: 'batch', version: 'v1', resource: 'jobs' };

/** A stored Node. */
export type Node = Stored<core.Node>;
/** The resource of Nodes. */
export const nodes: ResourceReference<Node> = { group: '', version: 'v1', resource: 'nodes', namespaced: false };

/** A stored Pod. */
export type Pod = Stored<core.Pod>;
/** The resource of Pods. */
export const pods: ResourceReference<Pod> = { group: '', version: 'v1', resource: 'pods' };

/** A stored ReplicaSet. */
export type ReplicaSet = Stored<apps.ReplicaSet> & { spec: { template: core.PodTemplateSpec } };
/** The resource of ReplicaSets. */
export const replicaSets: ResourceReference<ReplicaSet> = { group: 'apps', version: 'v1', resource: 'replicasets' };

/** A stored Service. */
export type Service = Stored<core.Service>;
/** The resource of Services. */
export const services: ResourceReference<Service> = { group: '', version: 'v1', resource: 'services' };

/** A stored StatefulSet. */
export type StatefulSet = Stored<apps.StatefulSet>;
/** The resource of StatefulSets. */
export const statefulSets: ResourceReference<StatefulSet> = { group: 'apps', version: 'v1', resource: 'statefulsets' };

/** The resource of ReplicationControllers. */
export const replicationControllers: ResourceReference<Stored<core.ReplicationController>> = {
  group: '',
  version: 'v1',
  resource: 'replicationcontrollers',
};

/** The Endpoints of a Service. */
export type Endpoints = core.Endpoints & { metadata: ObjectMeta };
/** The resource of Endpoints. */
export const endpoints: ResourceReference<Endpoints> = { group: '', version: 'v1', resource: 'endpoints' };

/** The resource of claims of volumes. */
export const volumeClaims: ResourceReference<core.PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumeclaims',
};

/** An endpoint of an EndpointSlice. Only endpoints of v1beta1 have a topology. */
export type SliceEndpoint = discovery.Endpoint & { topology?: Record<string, string> };
/** A stored EndpointSlice. */
export type EndpointSlice = Stored<discovery.EndpointSlice> & { endpoints: SliceEndpoint[] };
/** The resource of EndpointSlices. */
export function endpointSlices({ apiDomain }: Identifiers): ResourceReference<EndpointSlice> {
  return { group: `discovery.${apiDomain}`, version: 'v1', resource: 'endpointslices' };
}

/** A stored CertificateSigningRequest. */
export type SigningRequest = Stored<certificates.CertificateSigningRequest>;
/** The resource of CertificateSigningRequests. */
export function signingRequests({ apiDomain }: Identifiers): ResourceReference<SigningRequest> {
  const group = `certificates.${apiDomain}`;
  return { group, version: 'v1', resource: 'certificatesigningrequests', namespaced: false };
}

/** A stored ResourceClaim. */
export type ResourceClaim = Stored<devices.ResourceClaim>;
/** The resource of ResourceClaims. */
export function resourceClaims({ apiDomain }: Identifiers): ResourceReference<ResourceClaim> {
  return { group: `resource.${apiDomain}`, version: 'v1', resource: 'resourceclaims' };
}
