import type { ObjectState } from '../../cli/object-history.ts';
import type { GenericObject } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { StatusError } from '../../client/error-of-response.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { follow, type FeedEvent, type FeedState } from './follow.ts';
import { pagePorts } from './page-ports.ts';
import { collectionPath, objectPath } from './paths.ts';
import { sendJson } from './send.ts';

/** The most changes that are kept, and the most bytes of their objects. */
const most = { changes: 200, bytes: 32 * 1024 * 1024 };

/** The kinds of changes, by the events of a watch. */
const changes: Readonly<Record<string, ObjectState['change']>> = {
  ADDED: 'created',
  MODIFIED: 'changed',
  DELETED: 'deleted',
};

/** An object by its name. */
interface ObjectName {
  readonly kind: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
}

/** An object that is followed by watch, with its changes since then. */
export class ObjectFeed {
  /** The object; its last state after it was deleted. */
  object: JsonObject | undefined;
  isDeleted = false;
  state: FeedState = 'loading';
  error = '';
  /** The changes that followed each other without a gap, the earliest first. */
  changes: readonly ObjectState[] = [];
  /** Grows when changes may have been missed. */
  gaps = 0;
  readonly #name: ObjectName;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  readonly #sizes: number[] = [];
  #isScheduled = false;

  constructor(name: ObjectName, changed: () => void) {
    this.#name = name;
    this.#changed = changed;
    const { kind, namespace } = name;
    void follow<JsonObject & { readonly metadata?: { readonly resourceVersion?: string } }>(
      {
        path: collectionPath(kind, namespace),
        query: { fieldSelector: `metadata.name=${name.name}` },
        accept: 'application/json',
        canWatch: kind.verbs.includes('watch'),
        read: (signal) => this.#read(signal),
        take: (event) => this.#take(event),
        report: (state, error) => this.#report(state, error),
      },
      pagePorts,
      this.#stop.signal,
    );
  }

  /** Ends the watch. */
  close(): void {
    this.#stop.abort();
  }

  /** Shows the response of a write, unless the watch has brought a later state. */
  written(object: JsonObject): void {
    if (this.object && Number(revisionOf(object)) <= Number(revisionOf(this.object))) return;
    this.object = object;
    this.#report(this.state, this.error);
  }

  async #read(signal: AbortSignal): Promise<string> {
    const { kind, namespace, name } = this.#name;
    try {
      const object = await sendJson<JsonObject>(objectPath(kind, namespace, name), { signal });
      if (this.object && revisionOf(object) !== revisionOf(this.object)) this.#forget();
      this.object = object;
      this.isDeleted = false;
      this.#report(this.state, '');
      return revisionOf(object);
    } catch (error) {
      if (this.object && error instanceof StatusError && error.code === 404) this.isDeleted = true;
      throw error;
    }
  }

  /** Changes from here on do not follow those that are kept. */
  #forget(): void {
    this.changes = [];
    this.#sizes.length = 0;
    this.gaps += 1;
  }

  #take({ type, object, bytes }: FeedEvent<JsonObject>): void {
    this.object = object;
    this.isDeleted = type === 'DELETED';
    const state = {
      revision: Number(revisionOf(object)),
      change: changes[type] ?? 'changed',
      // The server sends objects.
      object: object as GenericObject,
    };
    this.changes = [...this.changes, state];
    this.#sizes.push(bytes);
    const kept = this.#sizes.reduce((sum, size) => sum + size, 0);
    if (this.changes.length > most.changes || kept > most.bytes) this.#forget();
    this.#report('live', '');
  }

  #report(state: FeedState, error: string): void {
    this.state = state;
    this.error = error;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      if (!this.#stop.signal.aborted) this.#changed();
    });
  }
}

/** The revision of an object; '' if it has none. */
export function revisionOf({ metadata }: JsonObject): string {
  const revision = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof revision === 'string' ? revision : '';
}
