import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Condition, StoredMetadata } from './workload.ts';

/** A taint of a node. */
export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

/** A condition of a node, with the time of the last report. */
export type NodeCondition = Condition & { lastHeartbeatTime?: string };

/** The status of a node. */
export interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  conditions?: NodeCondition[];
  addresses?: { type: string; address: string }[];
  nodeInfo?: Record<string, string>;
}

/** A node that a server has stored. */
export interface Node extends ApiObject {
  metadata: StoredMetadata;
  spec?: { unschedulable?: boolean; taints?: Taint[]; providerID?: string };
  status?: NodeStatus;
}

/** The resource of nodes. */
export const nodes: ResourceReference<Node> = { group: '', version: 'v1', resource: 'nodes', namespaced: false };
