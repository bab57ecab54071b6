import type {
  ApiList,
  ApiObject,
  GenericObject,
  Status,
  WatchEvent,
  DeepPartial,
  SubresourceObject,
} from './api-object.ts';
import type { JsonCodec } from './runtime-json.ts';
import {
  type ApplyOptions,
  type CallOptions,
  type DeleteOptions,
  type GetOptions,
  type ListOptions,
  type PatchOptions,
  patchTypes,
  type SelectOptions,
  type WatchOptions,
  type WriteOptions,
} from './resource-options.ts';
import { type ResourceReference, resourcePath } from './resource-path.ts';
import type { Transport, TransportRequest } from './transport.ts';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { readLines } from './read-lines.ts';
import { readEvent, readList, readObject } from './read-object.ts';
import { StatusError } from './error-of-response.ts';

/**
 * The media types of objects reduced to their metadata, in both identifier sets, so that the client
 * need not know the server's.
 */
const metadataAccept = acceptOf('PartialObjectMetadata');

/** The media types of lists of such objects. */
const metadataListAccept = acceptOf('PartialObjectMetadataList');

function acceptOf(kind: string): string {
  return identifierSets
    .map((set) => `application/json;as=${kind};g=meta.${identifiersOf(set).apiDomain};v=v1`)
    .join(',');
}

/**
 * The verbs of one resource. Every method throws `StatusError`, or the reason of an aborted signal.
 * Objects have the type of a sub-resource if its name is a literal (`subresource: 'scale'`).
 */
export interface ResourceClient<T extends ApiObject = GenericObject> {
  readonly reference: ResourceReference<T>;
  get<S extends string = ''>(name: string, options?: GetOptions<S>): Promise<SubresourceObject<T, S>>;
  /** Returns one page. Its items have their apiVersion and kind, which the server omits. */
  list(options?: ListOptions): Promise<ApiList<T>>;
  /**
   * Returns all pages at one version, `limit` (500 by default) objects each. Only one page at a
   * time is in memory.
   */
  pages(options?: ListOptions): AsyncIterable<ApiList<T>>;
  /**
   * Ends when the server ends the watch or the signal aborts; throws an ERROR event as StatusError.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<S extends string = ''>(
    object: SubresourceObject<T, S>,
    options?: WriteOptions<S>,
  ): Promise<SubresourceObject<T, S>>;
  /** Replaces an object. If it has a resourceVersion, only while it is still at that version. */
  update<S extends string = ''>(
    object: SubresourceObject<T, S>,
    options?: WriteOptions<S>,
  ): Promise<SubresourceObject<T, S>>;
  patch<S extends string = ''>(
    name: string,
    patch: unknown,
    options: PatchOptions<S>,
  ): Promise<SubresourceObject<T, S>>;
  /**
   * Creates or changes an object so that it has these fields, and removes those that the manager
   * applied before (server-side apply). The object has its apiVersion, kind and name, and of the
   * other fields those that the manager wants to own.
   */
  apply<S extends string = ''>(
    object: DeepPartial<SubresourceObject<T, S>>,
    options: ApplyOptions<S>,
  ): Promise<SubresourceObject<T, S>>;
  /**
   * Returns a Status if the object was deleted, and the object if it is only marked for deletion;
   * `isStatus` tells them apart.
   */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(options?: SelectOptions & DeleteOptions): Promise<ApiList<T> | Status>;
}

const pageLimit = 500;

/** The resource, and the settings of its requests. */
interface ResourceContext<T extends ApiObject> {
  readonly transport: Transport;
  readonly codec: JsonCodec;
  readonly reference: ResourceReference<T>;
  /** For calls that name an object but no namespace. */
  readonly defaultNamespace: string;
  /** `metadata`: responses have the objects reduced to their metadata. */
  readonly form?: 'metadata';
}

/** Creates the verbs of one resource over a transport. */
export function createResourceClient<T extends ApiObject>(context: ResourceContext<T>): ResourceClient<T> {
  const { transport, codec, reference, defaultNamespace, form } = context;
  const accept = form && metadataAccept;
  const listAccept = form && metadataListAccept;
  const collection = (options: CallOptions) => resourcePath(reference, { namespace: options.namespace });
  const object = (name: string, options: CallOptions & { readonly subresource?: string }) =>
    resourcePath(reference, {
      namespace: options.namespace || defaultNamespace,
      name,
      subresource: options.subresource,
    });

  /** The caller declares the type of the objects; the server enforces its schema. */
  async function call<Body extends object>(request: TransportRequest): Promise<Body> {
    return readObject(codec, await transport.request({ accept, ...request }), request) as Body;
  }

  function write(method: string, path: string, value: unknown, options: WriteOptions, type = 'application/json') {
    const { dryRun, fieldManager, fieldValidation, signal } = options;
    const query = { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation };
    return { method, path, query, body: codec.stringify(value), contentType: type, signal };
  }

  return {
    reference,
    get<S extends string>(name: string, options: GetOptions<S> = {}) {
      const { resourceVersion, signal } = options;
      const request = { method: 'GET', path: object(name, options), query: { resourceVersion }, signal };
      return call<SubresourceObject<T, S>>(request);
    },
    async list(options = {}) {
      const { signal, onWarning, namespace: _, ...query } = options;
      const request = { method: 'GET', path: collection(options), query, signal, onWarning };
      return withTypes(readList<T>(codec, await transport.request({ ...request, accept: listAccept }), request));
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
      const { signal, idleTimeoutMs, namespace: _, ...rest } = options;
      const request = { method: 'GET', path: collection(options), query: { watch: true, ...rest } };
      const open = () => transport.stream({ ...request, accept, signal, idleTimeoutMs });
      return readEvents<T>(open, { codec, request, signal });
    },
    create<S extends string>(value: SubresourceObject<T, S>, options: WriteOptions<S> = {}) {
      const namespace = options.namespace || value.metadata?.namespace || defaultNamespace;
      const path = options.subresource ? object(nameOf(value), { ...options, namespace }) : collection({ namespace });
      return call<SubresourceObject<T, S>>(write('POST', path, value, options));
    },
    update<S extends string>(value: SubresourceObject<T, S>, options: WriteOptions<S> = {}) {
      const namespace = options.namespace || value.metadata?.namespace;
      const path = object(nameOf(value), { ...options, namespace });
      return call<SubresourceObject<T, S>>(write('PUT', path, value, options));
    },
    patch<S extends string>(name: string, patch: unknown, options: PatchOptions<S>) {
      const request = write('PATCH', object(name, options), patch, options, patchTypes[options.type]);
      return call<SubresourceObject<T, S>>({ ...request, query: { ...request.query, force: options.force } });
    },
    apply<S extends string>(value: AppliedObject, options: ApplyOptions<S>) {
      const namespace = options.namespace || value.metadata?.namespace;
      return this.patch(nameOf(value), value, { ...options, namespace, type: 'apply' });
    },
    delete(name, options = {}) {
      const body = deleteBody(options, codec);
      return call<T | Status>({ method: 'DELETE', path: object(name, options), ...body, signal: options.signal });
    },
    deleteCollection(options = {}) {
      const { labelSelector, fieldSelector, signal } = options;
      const path = collection({ namespace: options.namespace || defaultNamespace });
      const query = { labelSelector, fieldSelector };
      const request = { method: 'DELETE', path, query, ...deleteBody(options, codec), signal };
      return call<ApiList<T> | Status>({ ...request, accept: listAccept });
    },
  };
}

/** The parts of an applied object that the client reads. */
interface AppliedObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

function nameOf(object: AppliedObject): string {
  const name = object.metadata?.name;
  if (!name) throw new TypeError('metadata.name is missing');
  return name;
}

/** Servers leave the type of the items of built-in kinds out of lists; watches have it. */
function withTypes<T extends ApiObject>(list: ApiList<T>): ApiList<T> {
  const { apiVersion, kind } = list;
  const itemKind = kind?.replace(/List$/, '');
  if (itemKind === undefined || itemKind === kind) return list;
  // V8 makes room for the fields that are named here, and stores others less densely.
  const typed = (item: T): T => (item.kind ? item : { kind: itemKind, apiVersion, metadata: item.metadata, ...item });
  return { ...list, items: list.items.map(typed) };
}

function deleteBody(options: DeleteOptions, codec: JsonCodec): { body?: string; contentType?: string } {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const fields = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun ? ['All'] : undefined };
  if (Object.values(fields).every((value) => value === undefined)) return {};
  const body = codec.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...fields });
  return { body, contentType: 'application/json' };
}

interface EventContext {
  readonly codec: JsonCodec;
  readonly request: Pick<TransportRequest, 'method' | 'path'>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the events of a watch, one per line. Ends when the signal aborts. Throws an ERROR event as
 * StatusError.
 */
async function* readEvents<T extends ApiObject>(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { codec, request, signal }: EventContext,
): AsyncIterable<WatchEvent<T>> {
  for await (const line of readLines(openUntilAborted(open, signal))) {
    // The last event of a watch that fails.
    type Told = WatchEvent<T> | { readonly type: 'ERROR'; readonly object: Status };
    const event = readEvent(codec, line, request) as Told;
    if (event.type === 'ERROR') throw new StatusError(event.object);
    yield event;
  }
}

async function* openUntilAborted(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  try {
    yield* await open();
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
