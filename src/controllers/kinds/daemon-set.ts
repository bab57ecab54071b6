import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { Condition, LabelSelector, StoredMetadata } from './workload.ts';

/** The status of a DaemonSet. */
export interface DaemonSetStatus {
  currentNumberScheduled?: number;
  numberMisscheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

/** A DaemonSet that a server has stored. */
export interface DaemonSet extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: number | string; maxSurge?: number | string };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status?: DaemonSetStatus;
}

/** The resource of DaemonSets. */
export const daemonSets: ResourceReference<DaemonSet> = { group: 'apps', version: 'v1', resource: 'daemonsets' };
