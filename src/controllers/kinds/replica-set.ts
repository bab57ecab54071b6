import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { Condition, LabelSelector, StoredMetadata } from './workload.ts';

/** The status of a ReplicaSet or ReplicationController. */
export interface ReplicaStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: Condition[];
}

/** A ReplicaSet that a server has stored. */
export interface ReplicaSet extends ApiObject {
  metadata: StoredMetadata;
  spec: { replicas?: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: ReplicaStatus;
}

/** A ReplicationController that a server has stored. Its selector is a map of labels. */
interface ReplicationController extends ApiObject {
  metadata: StoredMetadata;
  spec: Omit<ReplicaSet['spec'], 'selector'> & { selector?: Record<string, string> };
  status?: ReplicaStatus;
}

/** The resource of ReplicaSets. */
export const replicaSets: ResourceReference<ReplicaSet> = { group: 'apps', version: 'v1', resource: 'replicasets' };

/** The resource of ReplicationControllers. */
export const replicationControllers: ResourceReference<ReplicationController> = {
  group: '',
  version: 'v1',
  resource: 'replicationcontrollers',
};
