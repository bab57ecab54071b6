import assert from 'node:assert/strict';
import { type HttpResponse, request, type Target } from '../http-client.ts';

/** An object as the API shows it. */
export interface ApiObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** One write of the history that the tests know; `object` is undefined for a deletion. */
interface Write {
  readonly revision: number;
  readonly key: string;
  readonly object: ApiObject | undefined;
}

/** One change as a watch shows it. */
export interface ModelEvent {
  readonly type: string;
  readonly object: ApiObject;
}

/** Decides whether a request wants an object. */
export type Selects = (object: ApiObject) => boolean;

/** Where the request that follows goes. */
export interface Scope {
  readonly name: string;
  readonly path: string;
  readonly deprecatedPath: string;
  readonly contains: Selects;
}

export const scopes: readonly Scope[] = [
  {
    name: 'one namespace',
    path: '/api/v1/namespaces/red/configmaps',
    deprecatedPath: '/api/v1/watch/namespaces/red/configmaps',
    contains: ({ metadata }) => metadata.namespace === 'red',
  },
  {
    name: 'all namespaces',
    path: '/api/v1/configmaps',
    deprecatedPath: '/api/v1/watch/configmaps',
    contains: () => true,
  },
];

/** A selector in a query, and what it means. */
interface SelectorCase {
  readonly name: string;
  readonly query: string;
  readonly selects: Selects;
}

export const selectors: readonly SelectorCase[] = [
  { name: 'no selector', query: '', selects: () => true },
  {
    name: 'a label',
    query: '&labelSelector=app%3Dweb',
    selects: ({ metadata }) => metadata.labels?.['app'] === 'web',
  },
  { name: 'a name', query: '&fieldSelector=metadata.name%3Da', selects: ({ metadata }) => metadata.name === 'a' },
  {
    name: 'all names but one',
    query: '&fieldSelector=metadata.name!%3Db',
    selects: ({ metadata }) => metadata.name !== 'b',
  },
  {
    name: 'label and field',
    query: '&labelSelector=app%20notin%20(db)&fieldSelector=metadata.namespace%3Dred',
    selects: ({ metadata }) => metadata.labels?.['app'] !== 'db' && metadata.namespace === 'red',
  },
];

/** Objects by key, in the order of keys. */
export type State = ReadonlyMap<string, ApiObject>;

/** ConfigMaps in two namespaces, written by the tests alone, with everything that ever happened to them. */
export class World {
  readonly #server: Target;
  readonly #writes: Write[] = [];

  constructor(server: Target) {
    this.#server = server;
  }

  /** The revision of the newest write. */
  get revision(): number {
    return this.#writes.at(-1)?.revision ?? 0;
  }

  async createNamespaces(): Promise<void> {
    for (const name of ['red', 'blue']) {
      const response = await request(this.#server, 'POST', '/api/v1/namespaces', { metadata: { name } });
      assert.equal(response.status, 201, response.text);
    }
  }

  async create(key: string, app: string): Promise<number> {
    const { path, name } = placeOf(key);
    return this.#wrote(key, await request(this.#server, 'POST', path, { metadata: { name, labels: { app } } }));
  }

  async relabel(key: string, app: string): Promise<number> {
    const { path, name } = placeOf(key);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = JSON.stringify({ metadata: { labels: { app } } });
    return this.#wrote(key, await request(this.#server, 'PATCH', `${path}/${name}`, patch, headers));
  }

  async remove(key: string): Promise<number> {
    const { path, name } = placeOf(key);
    const response = await request(this.#server, 'DELETE', `${path}/${name}`);
    assert.equal(response.status, 200, response.text);
    // The answer does not tell the revision; nobody else writes, so it is the newest one.
    const list = await request(this.#server, 'GET', `${path}?limit=1`);
    const revision = Number(listOf(list).metadata.resourceVersion);
    this.#writes.push({ revision, key, object: undefined });
    return revision;
  }

  /** What there was at a revision. */
  stateAt(revision: number): State {
    const state = new Map<string, ApiObject>();
    for (const write of this.#writes) {
      if (write.revision > revision) break;
      if (write.object) state.set(write.key, write.object);
      else state.delete(write.key);
    }
    return new Map([...state].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** What a watch tells of the time after a revision. */
  eventsAfter(revision: number, selects: Selects): ModelEvent[] {
    const events: ModelEvent[] = [];
    for (const write of this.#writes) {
      if (write.revision <= revision) continue;
      const event = eventOf(this.stateAt(write.revision - 1).get(write.key), write, selects);
      if (event) events.push(event);
    }
    return events;
  }

  #wrote(key: string, response: HttpResponse): number {
    assert.ok(response.status === 200 || response.status === 201, response.text);
    // The answer to a write is the object.
    const object = response.body as ApiObject;
    const revision = Number(object.metadata.resourceVersion);
    this.#writes.push({ revision, key, object });
    return revision;
  }
}

function eventOf(previous: ApiObject | undefined, write: Write, selects: Selects): ModelEvent | undefined {
  const { object, revision } = write;
  const before = previous && selects(previous) ? previous : undefined;
  const now = object && selects(object) ? object : undefined;
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object: now };
  if (!before) return undefined;
  const metadata = { ...before.metadata, resourceVersion: String(revision) };
  return { type: 'DELETED', object: { ...before, metadata } };
}

function placeOf(key: string): { path: string; name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { path: `/api/v1/namespaces/${namespace}/configmaps`, name };
}

/** The body of a list. */
export interface ListBody {
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly ApiObject[];
}

/** The list in an answer that must be one. */
export function listOf(response: HttpResponse): ListBody {
  assert.equal(response.status, 200, response.text);
  // Checked to be an answer to a list.
  return response.body as ListBody;
}

/** The ConfigMaps of a namespace that every server has. */
export const configMaps = '/api/v1/namespaces/default/configmaps';

/** Creates a ConfigMap there; answers the revision. */
export async function createConfigMap(server: Target, name: string): Promise<number> {
  const response = await request(server, 'POST', configMaps, { metadata: { name } });
  assert.equal(response.status, 201, response.text);
  // The answer to a create is the object.
  return Number((response.body as ApiObject).metadata.resourceVersion);
}

/** The body of a Status that refuses. */
export interface StatusBody {
  readonly kind: string;
  readonly status: string;
  readonly reason?: string;
  readonly message: string;
  readonly code: number;
  readonly metadata: { readonly continue?: string };
  readonly details?: {
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** The Status in an answer that must be one. */
export function statusOf(response: HttpResponse): StatusBody {
  // Checked below to be a Status.
  const body = response.body as StatusBody;
  assert.equal(body.kind, 'Status', response.text);
  assert.equal(body.status, 'Failure');
  assert.equal(body.code, response.status);
  return body;
}

/** An item of a list has neither kind nor apiVersion. */
export function itemOf({ kind: _kind, apiVersion: _apiVersion, ...item }: ApiObject): object {
  return item;
}

/** Runs tasks, so many at a time, in their order. */
export async function runAll<T>(tasks: readonly (() => Promise<T>)[], atATime: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index];
      if (task) results[index] = await task();
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}
