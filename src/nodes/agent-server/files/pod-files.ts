import type { ContainerRun } from '../runs/container-run.ts';
import { ContainerFiles } from './container-files.ts';

/** The most bytes of the files of all pods of a process. */
const limitBytes = 256 * 1024 * 1024;

/** The files of the stand-in containers of a process: each has its own until it is restarted. */
export class PodFiles {
  readonly #byPod = new Map<string, Map<string, ContainerFiles>>();

  /** The files of a run of a container. */
  of({ pod, container, restarts }: ContainerRun): ContainerFiles {
    const { uid } = pod.metadata;
    const ofPod = this.#byPod.get(uid) ?? new Map<string, ContainerFiles>();
    this.#byPod.set(uid, ofPod);
    const present = ofPod.get(container);
    if (present?.restarts === restarts) return present;
    const created = new ContainerFiles(restarts, () => this.#freeBytes());
    ofPod.set(container, created);
    return created;
  }

  /** Forgets the files of a pod. */
  remove(uid: string): void {
    this.#byPod.delete(uid);
  }

  #freeBytes(): number {
    let used = 0;
    for (const ofPod of this.#byPod.values()) for (const files of ofPod.values()) used += files.bytes;
    return limitBytes - used;
  }
}
