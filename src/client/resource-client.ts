import { ApiError } from './api-error.ts';
import type { ApiList, ApiObject, GenericObject, Status, WatchEvent } from './api-object.ts';
import type { JsonCodec } from './json-codec.ts';
import { readLines } from './read-lines.ts';
import { type ResourceReference, resourcePath } from './resource-path.ts';
import type { Transport, TransportRequest } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /**
   * The namespace of a namespaced resource. Calls that name an object default to the client's own.
   */
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

/** Selectors for a collection. */
export interface SelectOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Options of a read. */
export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** Options of a list. Without `namespace` all namespaces are listed. */
export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly limit?: number;
  readonly continue?: string;
}

/** Options of a watch. */
export interface WatchOptions extends SelectOptions {
  /**
   * Returns changes after this version; if undefined, the watch begins with the present state as
   * ADDED events.
   */
  readonly resourceVersion?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
}

/** Options of create, update and patch. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: string;
}

/** Media types of the patch types. */
const patchTypes = Object.freeze({
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
});

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  readonly type: keyof typeof patchTypes;
  /** Apply only: takes fields from other managers. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

/**
 * The verbs of one resource. Every method throws `ApiError`, or the reason of an aborted signal.
 */
export interface ResourceClient<T extends ApiObject = GenericObject> {
  readonly reference: ResourceReference;
  get(name: string, options?: GetOptions): Promise<T>;
  /** Returns one page. */
  list(options?: ListOptions): Promise<ApiList<T>>;
  /** Returns all pages at one version, `limit` (500 by default) objects each. */
  pages(options?: ListOptions): AsyncIterable<ApiList<T>>;
  /**
   * Ends when the server ends the watch or the signal aborts; throws an ERROR event as ApiError.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create(object: T, options?: WriteOptions): Promise<T>;
  /** Replaces an object. If it has a resourceVersion, only while it is still at that version. */
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(name: string, patch: unknown, options: PatchOptions): Promise<T>;
  /**
   * Returns a Status if the object was deleted, and the object if it is only marked for deletion.
   */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(options?: SelectOptions & DeleteOptions): Promise<ApiList<T> | Status>;
}

const pageLimit = 500;

/**
 * Creates the verbs of one resource over a transport. `defaultNamespace` is for calls that name an
 * object but no namespace.
 */
export function createResourceClient<T extends ApiObject>(
  transport: Transport,
  codec: JsonCodec,
  reference: ResourceReference,
  defaultNamespace: string,
): ResourceClient<T> {
  const collection = (options: CallOptions) => resourcePath(reference, { namespace: options.namespace });
  const object = (name: string, options: CallOptions & { readonly subresource?: string }) =>
    resourcePath(reference, {
      namespace: options.namespace || defaultNamespace,
      name,
      subresource: options.subresource,
    });

  /** The caller declares the type of the objects; the server enforces its schema. */
  async function call<Body>(request: TransportRequest): Promise<Body> {
    return codec.parse(await transport.request(request)) as Body;
  }

  function write(method: string, path: string, value: unknown, options: WriteOptions, type = 'application/json') {
    const { dryRun, fieldManager, fieldValidation, signal } = options;
    const query = { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation };
    return { method, path, query, body: codec.stringify(value), contentType: type, signal };
  }

  return {
    reference,
    get(name, options = {}) {
      const { resourceVersion, signal } = options;
      return call<T>({ method: 'GET', path: object(name, options), query: { resourceVersion }, signal });
    },
    list(options = {}) {
      const { signal, namespace: _, ...query } = options;
      return call<ApiList<T>>({ method: 'GET', path: collection(options), query, signal });
    },
    async *pages(options = {}) {
      for (let next = { limit: pageLimit, ...options }; ; ) {
        const page = await this.list(next);
        yield page;
        if (!page.metadata.continue) return;
        // A token contains the version; sending both is an error.
        const { resourceVersion: _, resourceVersionMatch: __, ...rest } = next;
        next = { ...rest, continue: page.metadata.continue };
      }
    },
    watch(options = {}) {
      const { signal, namespace: _, ...rest } = options;
      const query = { watch: true, ...rest };
      return readEvents<T>(() => transport.stream({ method: 'GET', path: collection(options), query, signal }), codec);
    },
    create(value, options = {}) {
      const namespace = options.namespace || value.metadata?.namespace || defaultNamespace;
      const path = options.subresource ? object(nameOf(value), { ...options, namespace }) : collection({ namespace });
      return call<T>(write('POST', path, value, options));
    },
    update(value, options = {}) {
      const namespace = options.namespace || value.metadata?.namespace;
      return call<T>(write('PUT', object(nameOf(value), { ...options, namespace }), value, options));
    },
    patch(name, patch, options) {
      const request = write('PATCH', object(name, options), patch, options, patchTypes[options.type]);
      return call<T>({ ...request, query: { ...request.query, force: options.force } });
    },
    delete(name, options = {}) {
      const body = deleteBody(options, codec);
      return call<T | Status>({ method: 'DELETE', path: object(name, options), ...body, signal: options.signal });
    },
    deleteCollection(options = {}) {
      const { labelSelector, fieldSelector, signal } = options;
      const path = collection({ namespace: options.namespace || defaultNamespace });
      const query = { labelSelector, fieldSelector };
      return call<ApiList<T> | Status>({ method: 'DELETE', path, query, ...deleteBody(options, codec), signal });
    },
  };
}

function nameOf(object: ApiObject): string {
  const name = object.metadata?.name;
  if (!name) throw new TypeError('metadata.name is missing');
  return name;
}

function deleteBody(options: DeleteOptions, codec: JsonCodec): { body?: string; contentType?: string } {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const fields = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun ? ['All'] : undefined };
  if (Object.values(fields).every((value) => value === undefined)) return {};
  const body = codec.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...fields });
  return { body, contentType: 'application/json' };
}

async function* readEvents<T extends ApiObject>(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  codec: JsonCodec,
): AsyncIterable<WatchEvent<T>> {
  for await (const line of readLines(await open())) {
    // The server sends one event per line.
    const event = codec.parse(line) as WatchEvent<T> | { readonly type: 'ERROR'; readonly object: Status };
    if (event.type === 'ERROR') throw new ApiError(event.object);
    yield event;
  }
}
