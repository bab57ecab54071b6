import type { PodTarget } from './source/find-target-pod.ts';

/** A path of the agent: what is asked for, and of which pod. */
export interface AgentPath {
  readonly verb: string;
  readonly target: PodTarget;
  readonly query: URLSearchParams;
}
