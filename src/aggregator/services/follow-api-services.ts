import { LiveApiServices } from '../../api/api-services/api-services.ts';
import { readApiService } from '../../api/api-services/api-service.ts';
import { PendingChanges } from '../../registry/read/pending-changes.ts';
import type { ResourceCache } from '../../storage/cache/resource-cache.ts';

/** The APIServices of a cache. */
export class FollowedApiServices {
  readonly services: LiveApiServices;
  readonly #listeners: ((name: string) => void)[] = [];
  readonly #signal: AbortSignal;
  readonly #changes: PendingChanges;
  #working: Promise<void> | undefined;

  /** `ownGroup` is the group of APIServices. */
  constructor(ownGroup: string, signal: AbortSignal) {
    this.services = new LiveApiServices(ownGroup);
    this.#signal = signal;
    this.#changes = new PendingChanges((key, current) => {
      const name = key.slice(key.lastIndexOf('/') + 1);
      if (current) this.services.put(readApiService(current.decode()));
      else this.services.remove(name);
      for (const listener of this.#listeners) listener(name);
    });
  }

  /** Calls a listener with the name of each APIService that came, changed or went. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Follows a cache from now on. */
  follow(cache: ResourceCache): void {
    cache.follow({
      replace: (objects) => {
        this.#changes.replace(objects);
        this.#catchUp();
      },
      change: (key, current) => {
        this.#changes.change(key, current);
        this.#catchUp();
      },
    });
  }

  /** Resolves when all changes that the cache has passed on are taken. */
  async caughtUp(): Promise<void> {
    while (this.#working) await this.#working;
  }

  #catchUp(): void {
    // Many changes take several turns of the event loop.
    if (this.#working) return;
    const pending = this.#changes.catchUp(this.#signal);
    if (pending) this.#working = this.#continueAfter(pending);
  }

  async #continueAfter(pending: Promise<void>): Promise<void> {
    await pending;
    this.#working = undefined;
    if (!this.#signal.aborted) this.#catchUp();
  }
}
