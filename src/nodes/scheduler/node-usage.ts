import { hasEnded } from '../../kinds/core/pod.ts';
import type { Pod } from '../../controllers/resources.ts';
import { addTo, type Amounts, requestsOf } from './pod-requests.ts';

/** The resources that pods take of their nodes. Bound pods count before the informer has them. */
export class NodeUsage {
  readonly #byNode = new Map<string, Record<string, number>>();
  readonly #counted = new Map<string, { readonly node: string; readonly requests: Amounts }>();

  /** The resources taken of a node. */
  of(node: string): Amounts {
    return this.#byNode.get(node) ?? {};
  }

  /** Counts a pod for a node, and no longer for another. */
  assume(pod: Pod, node: string): void {
    const { uid } = pod.metadata;
    this.forget(uid);
    const requests = requestsOf(pod);
    const total = this.#byNode.get(node) ?? {};
    this.#byNode.set(node, total);
    this.#counted.set(uid, { node, requests });
    addTo(total, requests);
  }

  /** Counts a pod as the informer has it. */
  observe(pod: Pod): void {
    if (hasEnded(pod)) this.forget(pod.metadata.uid);
    else if (pod.spec.nodeName && this.#counted.get(pod.metadata.uid)?.node !== pod.spec.nodeName) {
      this.assume(pod, pod.spec.nodeName);
    }
  }

  /** Counts a pod no longer. */
  forget(uid: string): void {
    const counted = this.#counted.get(uid);
    if (!counted) return;
    this.#counted.delete(uid);
    addTo(this.#byNode.get(counted.node) ?? {}, counted.requests, -1);
  }
}
