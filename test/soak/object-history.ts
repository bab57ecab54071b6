import { createHash } from 'node:crypto';
import type { EtcdEvent } from '../../src/etcd/watch-messages.ts';
import { compareKeys } from '../../src/storage/port/key-order.ts';
import { decodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import { placeAfter } from '../robustness/place-after.ts';
import type { Selection } from './selections.ts';

const configMaps = '/registry/configmaps/';

/** A ConfigMap as etcd stored it at one revision. */
export interface ObjectVersion {
  /** `namespace/name` */
  readonly key: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Hash of the whole object but for kind, apiVersion and resourceVersion. */
  readonly hash: string;
}

/** One change of a key; `current` is undefined for a deletion, `previous` for a creation. */
export interface ObjectChange {
  readonly key: string;
  readonly revision: number;
  readonly current: ObjectVersion | undefined;
  readonly previous: ObjectVersion | undefined;
}

/** The event that a watch of a selection must deliver. For DELETED, the last version selected. */
export interface ExpectedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly version: ObjectVersion;
}

/** The fields of a ConfigMap that the model reads. */
export interface ConfigMapBody {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Computes the version of a ConfigMap that was read from an answer or, with a revision, from etcd. */
export function versionOf(object: ConfigMapBody, revision = Number(object.metadata.resourceVersion)): ObjectVersion {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object as ConfigMapBody & Record<string, unknown>;
  const text = JSON.stringify({ ...rest, metadata });
  const hash = createHash('sha1').update(text).digest('base64url').slice(0, 12);
  return { key: `${metadata.namespace}/${metadata.name}`, revision, labels: metadata.labels ?? {}, hash };
}

/** The model of a soak: every ConfigMap at every recent revision, read from etcd and not from the server. */
export class ObjectHistory {
  #revision = 0;
  #trimmedTo = 0;
  #changes: ObjectChange[] = [];
  readonly #byKey = new Map<string, ObjectChange[]>();

  /** The newest revision of which all changes are known. */
  get revision(): number {
    return this.#revision;
  }

  /** States before this revision are forgotten. */
  get trimmedTo(): number {
    return this.#trimmedTo;
  }

  /** Adds the changes of whole revisions; events of other resources only move the revision. */
  record(revision: number, events: readonly EtcdEvent[]): void {
    for (const event of events) this.#add(event);
    this.#revision = Math.max(this.#revision, revision);
  }

  #add(event: EtcdEvent): void {
    const { key, revision } = event.type === 'put' ? event.current : event;
    if (!key.startsWith(configMaps)) return;
    const name = key.slice(configMaps.length);
    const changes = this.#byKey.get(name) ?? [];
    this.#byKey.set(name, changes);
    const current = event.type === 'put' ? storedVersion(key, event.current.value, revision) : undefined;
    const change = { key: name, revision, current, previous: changes.at(-1)?.current };
    changes.push(change);
    this.#changes.push(change);
  }

  /** What a selection covers at a revision, in the order of keys. */
  select(selection: Selection, revision: number): ObjectVersion[] {
    const found: ObjectVersion[] = [];
    for (const changes of this.#byKey.values()) {
      const version = changes[placeAfter(changes, revision) - 1]?.current;
      if (version && selection.covers(version)) found.push(version);
    }
    return found.toSorted((a, b) => compareKeys(a.key, b.key));
  }

  /** What a watch of a selection must deliver of the changes after `from` up to and including `to`. */
  events(selection: Selection, from: number, to: number): ExpectedEvent[] {
    const changes = this.#changes.slice(placeAfter(this.#changes, from), placeAfter(this.#changes, to));
    return changes.flatMap((change) => expectedEvent(selection, change) ?? []);
  }

  /** Forgets the states before a revision, so that a long soak keeps a bounded model. */
  trim(revision: number): void {
    this.#trimmedTo = revision;
    this.#changes = this.#changes.slice(placeAfter(this.#changes, revision));
    for (const [key, changes] of this.#byKey) {
      const kept = changes.slice(Math.max(0, placeAfter(changes, revision) - 1));
      if (kept.length === 1 && !kept[0]?.current) this.#byKey.delete(key);
      else this.#byKey.set(key, kept);
    }
  }
}

function storedVersion(key: string, value: Uint8Array, revision: number): ObjectVersion {
  const { json } = decodeStoredObject(key, value);
  // Every object of a soak is written through the server as a ConfigMap.
  return versionOf(JSON.parse(json.toString('utf8')) as ConfigMapBody, revision);
}

function expectedEvent(selection: Selection, change: ObjectChange): ExpectedEvent | undefined {
  const { revision, current, previous } = change;
  const before = previous && selection.covers(previous) ? previous : undefined;
  if (current && selection.covers(current)) return { type: before ? 'MODIFIED' : 'ADDED', revision, version: current };
  return before && { type: 'DELETED', revision, version: before };
}
