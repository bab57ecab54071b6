import { backOffMs, type BackOffOptions, pause } from '../../async/timers.ts';
import type { ApiObject } from '../../client/api-object.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { hasReason } from '../../client/error-of-response.ts';

/** A collection that the server may not serve, or not to this client. Then it counts as empty. */
interface OptionalCollection<T extends ApiObject> {
  get(name: string, namespace?: string): T | undefined;
  list(): readonly T[];
  /** True after the first list, or after the server refused it. */
  readonly isKnown: boolean;
}

interface FollowOptions {
  readonly informers: InformerFactory;
  /** Called when the collection becomes known, and for each change. */
  readonly onChange: () => void;
  /** Called once if the server refuses the list. */
  readonly onRefused: (error: unknown) => void;
  /** The delays until a missing right is tried again. */
  readonly backoff: BackOffOptions;
}

/**
 * Follows a collection until the signal aborts. An informer alone would never say that its list is
 * refused. A missing right is tried again, because it may be given later.
 */
export function followOptional<T extends ApiObject>(
  reference: ResourceReference<T>,
  { informers, onChange, onRefused, backoff }: FollowOptions,
  signal: AbortSignal,
): OptionalCollection<T> {
  let informer: Informer<T> | undefined;
  let isKnown = false;
  const become = (): void => {
    isKnown = true;
    onChange();
  };

  async function follow(): Promise<void> {
    if (!(await isListed())) return;
    informer = informers.informer(reference);
    informer.subscribe({ add: onChange, update: onChange, delete: onChange }, signal);
    // It rejects when the informer stops.
    const isSynced = await informer.synced(signal).then(
      () => true,
      () => false,
    );
    if (isSynced) become();
  }

  /** False if the server does not serve the collection, or the signal aborts. */
  async function isListed(): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await informers.client.resource(reference).list({ limit: 1, signal });
        return true;
      } catch (error) {
        // The informer repeats and reports what may pass.
        if (signal.aborted || !hasReason(error, 'NotFound', 'Forbidden')) return !signal.aborted;
        if (!isKnown) {
          onRefused(error);
          become();
        }
        if (hasReason(error, 'NotFound')) return false;
      }
      await pause(backOffMs(attempt, backoff), signal);
    }
    return false;
  }

  void follow();
  return {
    get: (name, namespace) => informer?.get(name, namespace),
    list: () => informer?.list() ?? [],
    get isKnown() {
      return isKnown;
    },
  };
}
