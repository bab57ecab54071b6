import type { Pod } from '../../controllers/resources.ts';
import { priorityOf } from './pod-priority.ts';

interface QueuedPod {
  readonly pod: Pod;
  readonly order: number;
}

/** Pods that wait for a node: the highest priority first, then in the order in which they came. */
export class PodQueue {
  readonly #byUid = new Map<string, QueuedPod>();
  /** A binary heap. Entries that are no longer in the map were removed or replaced. */
  readonly #heap: QueuedPod[] = [];
  #count = 0;

  get size(): number {
    return this.#byUid.size;
  }

  /** Adds a pod. One that waits already keeps its place unless its priority changed. */
  add(pod: Pod): void {
    const { uid } = pod.metadata;
    const entry = { pod, order: this.#byUid.get(uid)?.order ?? this.#count++ };
    this.#byUid.set(uid, entry);
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
  }

  /** Removes a pod, if it waits. */
  delete(uid: string): void {
    this.#byUid.delete(uid);
  }

  /** Removes the first pod and returns it. */
  take(): Pod | undefined {
    for (let first = this.#shift(); first; first = this.#shift()) {
      const { uid } = first.pod.metadata;
      if (this.#byUid.get(uid) !== first) continue;
      this.#byUid.delete(uid);
      return first.pod;
    }
    return undefined;
  }

  #shift(): QueuedPod | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let first = at;
      if (this.#isBefore(left, first)) first = left;
      if (this.#isBefore(right, first)) first = right;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return false;
    return (priorityOf(b.pod) - priorityOf(a.pod) || a.order - b.order) < 0;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
