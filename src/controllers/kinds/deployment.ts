import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { Condition, LabelSelector, StoredMetadata } from './workload.ts';

/** The status of a Deployment. */
export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

/** A Deployment that a server has stored. */
export interface Deployment extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    paused?: boolean;
  };
  status?: DeploymentStatus;
}

/** The resource of Deployments. */
export const deployments: ResourceReference<Deployment> = { group: 'apps', version: 'v1', resource: 'deployments' };
