import { onAbort } from '../../../async/abort-signals.ts';
import type { Informer } from '../../../client/informers/informer.ts';
import type { Pod } from '../../../controllers/resources.ts';

/** Called with each new state of a pod; undefined when it is gone. */
type PodHandler = (pod: Pod | undefined) => unknown;

/**
 * The changes of single pods. Sessions share one subscription, so that a change of a pod costs
 * nothing for the sessions of others.
 */
export class PodChanges {
  readonly #byUid = new Map<string, Set<{ readonly handler: PodHandler }>>();

  /** Follows the pods until the signal aborts. `onGone` is called for each pod that is gone. */
  constructor(pods: Informer<Pod>, onGone: (uid: string) => void, signal: AbortSignal) {
    pods.subscribe(
      {
        update: (pod) => this.#call(pod.metadata.uid, pod),
        delete: ({ metadata }) => {
          this.#call(metadata.uid, undefined);
          onGone(metadata.uid);
        },
      },
      signal,
    );
  }

  /** Calls a handler for the changes of a pod until the signal aborts. */
  follow(uid: string, handler: PodHandler, signal: AbortSignal): void {
    if (signal.aborted) return;
    const follower = { handler };
    const followers = this.#byUid.get(uid) ?? new Set();
    this.#byUid.set(uid, followers.add(follower));
    onAbort(signal, () => {
      followers.delete(follower);
      if (followers.size === 0 && this.#byUid.get(uid) === followers) this.#byUid.delete(uid);
    });
  }

  #call(uid: string, pod: Pod | undefined): void {
    for (const { handler } of this.#byUid.get(uid) ?? []) handler(pod);
  }
}
