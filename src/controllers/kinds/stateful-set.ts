import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { Condition, LabelSelector, StoredMetadata } from './workload.ts';

/** The status of a StatefulSet. */
export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  availableReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: Condition[];
}

/** A claim of a volume, or its template. */
export interface VolumeClaim extends ApiObject {
  spec?: object;
}

/** A StatefulSet that a server has stored. */
export interface StatefulSet extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplate;
    volumeClaimTemplates?: VolumeClaim[];
    serviceName?: string;
    podManagementPolicy?: string;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
  };
  status?: StatefulSetStatus;
}

/** The resource of StatefulSets. */
export const statefulSets: ResourceReference<StatefulSet> = { group: 'apps', version: 'v1', resource: 'statefulsets' };

/** The resource of claims of volumes. */
export const volumeClaims: ResourceReference<VolumeClaim> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumeclaims',
};
