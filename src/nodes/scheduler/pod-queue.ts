import type { Pod } from '../../controllers/resources.ts';
import { priorityOf } from './pod-priority.ts';

interface QueuedPod {
  /** The latest state. */
  pod: Pod;
  readonly priority: number;
  readonly order: number;
}

/** The heap is made again when more entries than this, and half of all, are of no use. */
const leastUseless = 64;

/** Pods that wait for a node: the highest priority first, then in the order in which they came. */
export class PodQueue {
  readonly #byUid = new Map<string, QueuedPod>();
  /** A binary heap. Entries that are no longer in the map were removed or replaced. */
  #heap: QueuedPod[] = [];
  #count = 0;

  get size(): number {
    return this.#byUid.size;
  }

  /** Adds a pod. One that waits already keeps its place unless its priority changed. */
  add(pod: Pod): void {
    const { uid } = pod.metadata;
    const priority = priorityOf(pod);
    const present = this.#byUid.get(uid);
    if (present?.priority === priority) {
      present.pod = pod;
      return;
    }
    const entry = { pod, priority, order: present?.order ?? this.#count++ };
    this.#byUid.set(uid, entry);
    this.#push(entry);
    this.#tidy();
  }

  /** Removes a pod, if it waits. */
  delete(uid: string): void {
    if (this.#byUid.delete(uid)) this.#tidy();
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

  /** Makes the heap again when most of its entries are of no use, so that it cannot grow. */
  #tidy(): void {
    if (this.#heap.length < 2 * this.#byUid.size + leastUseless) return;
    // A sorted list is a heap.
    this.#heap = [...this.#byUid.values()].toSorted((a, b) => b.priority - a.priority || a.order - b.order);
  }

  #push(entry: QueuedPod): void {
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
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
    return (b.priority - a.priority || a.order - b.order) < 0;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
