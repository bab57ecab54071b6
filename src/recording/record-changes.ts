import { newDeferred } from '../async/deferred.ts';
import { clientBackOff } from '../async/timers.ts';
import { untilAborted } from '../async/abort-signals.ts';
import type { ApiObject, GenericObject } from '../client/api-object.ts';
import type { Client } from '../client/client.ts';
import { type DiscoveredResource, discoverAll } from '../client/discovery.ts';
import { findResource } from '../client/find-resource.ts';
import { objectKey } from '../client/informers/indexer.ts';
import { reflect } from '../client/informers/reflect.ts';
import { hasReason } from '../client/error-of-response.ts';
import type { RecordedResource, RecordingEntry } from './recording-entry.ts';

/** The objects that are recorded. */
export interface RecordOptions {
  /** Types by any of their names, such as `pods` or `deployments.apps`; all by default. */
  readonly types?: readonly string[];
  /** Namespaces whose objects are recorded; all by default, with the objects outside of any. */
  readonly namespaces?: readonly string[];
  /**
   * `omit` (default) leaves Secrets out, `hide` records them with other values, `include` as they
   * are.
   */
  readonly secrets?: 'omit' | 'hide' | 'include';
  /** Keeps `metadata.managedFields`. The default is false. */
  readonly managedFields?: boolean;
  /** Follows changes until the signal aborts. The default is false: the objects alone. */
  readonly follow?: boolean;
  /** Called when all objects of the start have been recorded. */
  readonly onSynced?: () => void;
  /** Called with errors that are recovered from, and types that cannot be read. */
  readonly onProblem?: (problem: string) => void;
}

/** A watch without an event or a bookmark for this time is replaced. */
const idleTimeoutMs = 150_000;

/** The end of the annotation with a manifest, whatever its domain is. */
const lastApplied = '/last-applied-configuration';

/** Value of hidden Secrets: "hidden" in base64. */
const hiddenValue = 'aGlkZGVu';

/**
 * Records objects, type by type, and then their changes. Each entry is passed to `write`, which may
 * return a promise to slow the reading of the start down. Resolves when all is recorded, or with
 * `follow` when the signal aborts. Throws RangeError for a type that the server does not know.
 */
export async function recordChanges(
  client: Client,
  options: RecordOptions,
  write: (entry: RecordingEntry) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const { onProblem = () => {} } = options;
  const { resources, failed } = await discoverAll(client, signal);
  for (const { groupVersion, message } of failed) onProblem(`${groupVersion} is left out: ${message}`);
  const startMs = performance.now();
  const recorder = new Recorder(options, (entry) => write(entry));
  const following: Promise<void>[] = [];
  for (const resource of selectResources(resources, options)) {
    for (const selection of selectionsOf(resource, options)) {
      if (signal.aborted) break;
      const context = { recorder, startMs, options, onProblem };
      const { ended } = await recordCollection(client, resource, selection, context, signal);
      following.push(ended);
    }
  }
  if (!signal.aborted) options.onSynced?.();
  await Promise.all(following);
}

interface RecordContext {
  readonly recorder: Recorder;
  readonly startMs: number;
  readonly options: RecordOptions;
  readonly onProblem: (problem: string) => void;
}

/** Records a collection. Resolves after its list, with a promise of the end of its watch. */
async function recordCollection(
  client: Client,
  { group, version, resource, namespaced }: DiscoveredResource,
  selection: RecordedSelection,
  { recorder, startMs, options, onProblem }: RecordContext,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const reference: RecordedResource = { group, version, resource, namespaced };
  const verbs = client.resource(reference);
  const listed = newDeferred<void>();
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  let isListed = false;
  const target = recorder.collection(reference, () => (isListed ? Math.round(performance.now() - startMs) : 0));
  const onError = (error: unknown): void => {
    if (signal.aborted) return;
    onProblem(`${resource}: ${error instanceof Error ? error.message : String(error)}`);
    // Types that the client may not read, or that are gone, are left out at the start.
    if (!isListed && hasReason(error, 'Forbidden', 'NotFound', 'MethodNotAllowed')) end.abort();
  };
  const progress = (): void => {
    if (isListed) return;
    isListed = true;
    listed.resolve();
    if (!options.follow) end.abort();
  };
  const running = reflect(
    { resource: verbs, ...selection, target: { ...target, progress }, onError, backoff: clientBackOff, idleTimeoutMs },
    stop,
  );
  await untilAborted(Promise.race([listed.promise, running]), signal).catch(() => undefined);
  await recorder.written();
  return { ended: running };
}

/** The versions that are recorded: of each type the one that the server prefers. */
function selectResources(found: readonly DiscoveredResource[], { types, secrets = 'omit' }: RecordOptions) {
  const readable = found.filter(({ verbs }) => ['list', 'watch'].every((verb) => verbs.includes(verb)));
  const named = types?.map((type) => findResource(readable, type) ?? unknownType(type));
  const chosen = new Map<string, DiscoveredResource>();
  for (const each of named ?? readable) {
    const key = `${each.resource}.${each.group}`;
    const isSecret = each.group === '' && each.resource === 'secrets';
    if (!chosen.has(key) && !(isSecret && secrets === 'omit')) chosen.set(key, each);
  }
  return chosen.values();
}

function unknownType(type: string): never {
  throw new RangeError(`the server has no type ${JSON.stringify(type)} that can be watched`);
}

/** The objects of a type that are recorded together. */
interface RecordedSelection {
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

/**
 * The selections of a type. Beside some namespaces the objects outside of any are recorded only if
 * their type is asked for, but always the namespaces themselves, without which a replay fails.
 */
function selectionsOf(
  { namespaced, group, resource }: DiscoveredResource,
  { namespaces = [], types }: RecordOptions,
): readonly RecordedSelection[] {
  if (namespaces.length === 0) return [{}];
  if (namespaced) return namespaces.map((namespace) => ({ namespace }));
  if (types) return [{}];
  const isNamespaces = group === '' && resource === 'namespaces';
  return isNamespaces ? namespaces.map((name) => ({ fieldSelector: `metadata.name=${name}` })) : [];
}

/** The known objects of all collections, without their contents, and the entries on their way. */
class Recorder {
  readonly #options: RecordOptions;
  readonly #write: (entry: RecordingEntry) => Promise<void> | void;
  /** The collections that have objects, by their uids: some are served by two groups. */
  readonly #owners = new Map<string, object>();
  #last: Promise<void> | undefined;

  constructor(options: RecordOptions, write: (entry: RecordingEntry) => Promise<void> | void) {
    this.#options = options;
    this.#write = write;
  }

  /** Waits until the entries so far are written. */
  async written(): Promise<void> {
    await this.#last;
  }

  /** The target of the changes of one collection. */
  collection(resource: RecordedResource, nowMs: () => number) {
    const known = new Map<string, GenericObject>();
    const emit = (type: RecordingEntry['type'], object: GenericObject): void => {
      const { uid = '' } = object.metadata ?? {};
      const owner = this.#owners.get(uid);
      if (owner && owner !== known) return;
      if (type === 'DELETED') this.#owners.delete(uid);
      else this.#owners.set(uid, known);
      this.#last = this.#written({ type, atMs: nowMs(), resource, object: this.#shown(resource, object) });
    };
    return {
      put: (object: GenericObject): GenericObject | undefined => {
        const { name = '', namespace, uid, resourceVersion } = object.metadata ?? {};
        const key = objectKey(name, namespace);
        const old = known.get(key);
        known.set(key, briefOf(object));
        const isSame = old?.metadata?.uid === uid;
        if (old && !isSame) emit('DELETED', old);
        if (!old || !isSame) emit('ADDED', object);
        else if (old.metadata?.resourceVersion !== resourceVersion) emit('MODIFIED', object);
        return old;
      },
      remove: (object: GenericObject): void => {
        const { name = '', namespace } = object.metadata ?? {};
        if (known.delete(objectKey(name, namespace))) emit('DELETED', object);
      },
      values: (): Iterable<GenericObject> => known.values(),
    };
  }

  async #written(entry: RecordingEntry): Promise<void> {
    await this.#write(entry);
  }

  #shown({ group, resource }: RecordedResource, object: GenericObject): GenericObject {
    const { managedFields, ...metadata } = object.metadata ?? {};
    const kept = this.#options.managedFields && managedFields ? { ...metadata, managedFields } : metadata;
    const shown: GenericObject = { ...object, metadata: kept };
    if (group !== '' || resource !== 'secrets' || this.#options.secrets === 'include') return shown;
    const { data } = object;
    const names = typeof data === 'object' && data !== null ? Object.keys(data) : [];
    // The last applied manifest has the values, too.
    const annotations = Object.entries(kept.annotations ?? {}).filter(([key]) => !key.endsWith(lastApplied));
    const others = { ...kept, annotations: Object.fromEntries(annotations) };
    return { ...shown, metadata: others, data: Object.fromEntries(names.map((name) => [name, hiddenValue])) };
  }
}

function briefOf({ apiVersion, kind, metadata = {} }: ApiObject): GenericObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
}
