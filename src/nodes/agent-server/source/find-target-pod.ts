import type { Pod } from '../../../controllers/resources.ts';
import { containersOf } from '../runs/containers-of.ts';
import { AgentError } from '../runs/agent-error.ts';
import type { AgentSource } from './agent-source.ts';

/** The pod and the container that a request names, and the node that it was sent to. */
export interface PodTarget {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  /** '' for requests about the pod as a whole. */
  readonly container: string;
}

/** Finds the pod of a request. Throws AgentError with 404 if its node does not have it. */
export function findTargetPod({ pods }: AgentSource, { node, namespace, pod: name, container }: PodTarget): Pod {
  const pod = pods.get(name, namespace);
  if (!pod || pod.spec.nodeName !== node) {
    throw new AgentError(404, `pod ${JSON.stringify(name)} is not on ${node}`);
  }
  if (container !== '' && !containersOf(pod).some((one) => one.name === container)) {
    throw new AgentError(404, `container ${container} is not in pod ${name}`);
  }
  return pod;
}
