import { pause } from '../async/timers.ts';
import type { GenericObject } from '../client/api-object.ts';
import type { Client } from '../client/client.ts';
import type { ResourceClient } from '../client/resource-client.ts';
import { hasReason, ignoreReasons } from '../client/error-of-response.ts';
import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { type RecordingEntry, resourceKey } from './recording-entry.ts';

/** Resources whose status the server itself writes. */
const ownStatus: ReadonlySet<string> = new Set(['customresourcedefinitions', 'apiservices']);

/** Attempts, and the time between them, until the server serves a kind that was just defined. */
const attempts = 100;
const attemptMs = 50;

/** Writes recorded objects to a server whose objects have other uids. */
export class ObjectWriter {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  /** The uids of this server, by the recorded ones. */
  readonly #uids = new Map<string, string>();
  /** The groups whose kinds were defined by this recording. */
  readonly #defined = new Set<string>();
  readonly #withoutStatus = new Set<string>();

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Writes an entry. Throws StatusError if the server refuses it. */
  async write(entry: RecordingEntry): Promise<'written' | 'unchanged'> {
    const { type, resource, object } = entry;
    const verbs = this.#client.resource(resource);
    if (type === 'DELETED') return this.#delete(verbs, object);
    if (resource.resource === 'customresourcedefinitions') this.#define(object);
    const wanted = this.#cleaned(object);
    const created = await this.#create(entry, verbs, wanted);
    const present = created ?? (await this.#read(verbs, object));
    if (object.metadata?.uid && present.metadata?.uid) this.#uids.set(object.metadata.uid, present.metadata.uid);
    const updated = created ? undefined : await this.#replace(verbs, present, wanted);
    const reported = await this.#report(entry, verbs, updated ?? present);
    if (object.metadata?.deletionTimestamp !== undefined && present.metadata?.deletionTimestamp === undefined) {
      await this.#mark(verbs, object, present.metadata?.uid ?? '');
      return 'written';
    }
    return created || updated || reported ? 'written' : 'unchanged';
  }

  /** The object without what the server sets, and with the uids of this server. */
  #cleaned(object: GenericObject): GenericObject {
    const { status: _, metadata = {}, ...rest } = object;
    const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
    const kept = { name, namespace, labels, annotations, finalizers, ownerReferences };
    const present = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
    return this.#mapped({ ...rest, metadata: present });
  }

  #mapped(object: GenericObject): GenericObject {
    // Objects of the API are JSON objects, and stay so.
    return replaceTexts(object as JsonValue, this.#uids) as GenericObject;
  }

  /** Creates an object. Undefined if it exists. */
  async #create({ resource }: RecordingEntry, verbs: ResourceClient, object: GenericObject) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await verbs.create(object, { signal: this.#signal });
      } catch (error) {
        if (hasReason(error, 'AlreadyExists')) return undefined;
        const isLate = this.#defined.has(resource.group) && hasReason(error, 'NotFound') && attempt < attempts;
        // The server may refuse a present object for another reason first: its address is taken.
        if (!isLate && (await this.#find(verbs, object))) return undefined;
        if (!isLate) throw error;
        await pause(attemptMs, this.#signal);
      }
    }
  }

  #find(verbs: ResourceClient, object: GenericObject): Promise<GenericObject | undefined> {
    return ignoreReasons(this.#read(verbs, object), 'NotFound');
  }

  #read(
    verbs: ResourceClient,
    { metadata: { name = '', namespace = '' } = {} }: GenericObject,
  ): Promise<GenericObject> {
    return verbs.get(name, { namespace, signal: this.#signal });
  }

  /** Replaces an object that is another one. Undefined if it is the same. */
  async #replace(verbs: ResourceClient, present: GenericObject, wanted: GenericObject) {
    if (sameText(this.#cleaned(present), wanted)) return undefined;
    const resourceVersion = present.metadata?.resourceVersion ?? '';
    const metadata = { ...wanted.metadata, resourceVersion };
    return verbs.update({ ...wanted, metadata }, { signal: this.#signal });
  }

  /** Writes the status, if the resource has one of its own. False if it is the same. */
  async #report({ resource, object }: RecordingEntry, verbs: ResourceClient, present: GenericObject): Promise<boolean> {
    const key = resourceKey(resource);
    if (object['status'] === undefined || ownStatus.has(resource.resource) || this.#withoutStatus.has(key))
      return false;
    const { status } = this.#mapped({ status: object['status'] });
    if (sameText(status, present['status'])) return false;
    const options = { subresource: 'status', signal: this.#signal };
    const written = await ignoreReasons(verbs.update({ ...present, status }, options), 'NotFound', 'MethodNotAllowed');
    // The object itself may be gone; then others of its type still have a status.
    if (!written && (await this.#find(verbs, object))) this.#withoutStatus.add(key);
    return written !== undefined;
  }

  /** Marks an object for deletion that was so in the recording, too. */
  async #mark(verbs: ResourceClient, { metadata = {} }: GenericObject, uid: string): Promise<void> {
    const { name = '', namespace = '', deletionGracePeriodSeconds } = metadata;
    const grace = deletionGracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: deletionGracePeriodSeconds };
    const options = { namespace, ...grace, preconditions: { uid }, signal: this.#signal };
    await ignoreReasons(verbs.delete(name, options), 'NotFound', 'Conflict');
  }

  /**
   * Deletes the object that stands for a recorded one. Another object of its name, which this
   * replay has not written, stays.
   */
  async #delete(verbs: ResourceClient, { metadata = {} }: GenericObject): Promise<'written' | 'unchanged'> {
    const { name = '', namespace = '' } = metadata;
    const uid = this.#uids.get(metadata.uid ?? '');
    if (uid === undefined) return 'unchanged';
    const options = { namespace, gracePeriodSeconds: 0, preconditions: { uid }, signal: this.#signal };
    return (await ignoreReasons(verbs.delete(name, options), 'NotFound', 'Conflict')) ? 'written' : 'unchanged';
  }

  #define({ spec }: GenericObject): void {
    const group = isJsonObject(spec as JsonValue | undefined) ? (spec as { group?: unknown }).group : undefined;
    if (typeof group === 'string') this.#defined.add(group);
  }
}

/** Replaces texts anywhere in a value; names of members stay. */
function replaceTexts(value: JsonValue, texts: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaceTexts(each, texts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceTexts(each, texts)]));
}

function sameText(one: unknown, other: unknown): boolean {
  return sortedText(one) === sortedText(other);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
