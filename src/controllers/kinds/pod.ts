import type { ApiObject, ObjectMetadata } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Condition, StoredMetadata } from './workload.ts';

/** The template of the pods of a workload. */
export interface PodTemplate {
  metadata?: ObjectMetadata;
  spec?: PodSpec;
}

/** A container of a pod. Fields that no controller reads are not declared. */
export interface Container {
  name: string;
  image?: string;
  env?: { name: string; [field: string]: unknown }[];
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  [field: string]: unknown;
}

/** A toleration of taints. */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** A requirement on the labels or the fields of nodes. */
export interface NodeRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** A term of a node selector: all its requirements. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeRequirement[];
  matchFields?: NodeRequirement[];
}

/** The affinity of a pod to nodes. */
interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] };
  preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeSelectorTerm }[];
}

/** The specification of a pod. */
export interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  affinity?: { nodeAffinity?: NodeAffinity; [field: string]: unknown };
  tolerations?: Toleration[];
  restartPolicy?: string;
  hostname?: string;
  subdomain?: string;
  hostNetwork?: boolean;
  schedulerName?: string;
  priority?: number;
  overhead?: Record<string, string>;
  terminationGracePeriodSeconds?: number;
  readinessGates?: { conditionType: string }[];
  volumes?: {
    name: string;
    persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
    [field: string]: unknown;
  }[];
  [field: string]: unknown;
}

/** The status of a container. */
export interface ContainerStatus {
  name: string;
  restartCount?: number;
  ready?: boolean;
  state?: { terminated?: { exitCode: number; finishedAt?: string }; [state: string]: unknown };
  [field: string]: unknown;
}

/** The status of a pod. */
export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  podIP?: string;
  podIPs?: { ip: string }[];
  hostIP?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  [field: string]: unknown;
}

/** A pod that a server has stored. */
export interface Pod extends ApiObject {
  metadata: StoredMetadata;
  spec: PodSpec;
  status?: PodStatus;
}

/** The resource of pods. */
export const pods: ResourceReference<Pod> = { group: '', version: 'v1', resource: 'pods' };

/** The condition of a type, if a pod has it. */
export function podCondition({ status }: Pod, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** True if a pod is ready for requests. */
export function isReady(pod: Pod): boolean {
  return podCondition(pod, 'Ready')?.status === 'True';
}

/** True if a pod has ended: it succeeded or failed. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** True if a pod runs or will run: it has not ended and is not being deleted. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** The time until a ready pod has been ready for `minReadySeconds`; 0 or less: it is available. */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number {
  if (minReadySeconds === 0) return 0;
  const since = podCondition(pod, 'Ready')?.lastTransitionTime;
  return since ? Date.parse(since) + minReadySeconds * 1000 - nowMs : minReadySeconds * 1000;
}

/** True if a pod has been ready for `minReadySeconds`. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return isReady(pod) && availableInMs(pod, minReadySeconds, nowMs) <= 0;
}
