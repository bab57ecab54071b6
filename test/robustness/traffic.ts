import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ApiClient, collectionPath, now, queryOf } from './api-client.ts';
import {
  everything,
  type Freshness,
  type History,
  type ListAnswer,
  type Operation,
  type Scope,
  type Version,
} from './history.ts';
import type { Random } from './random.ts';
import { type TrafficObject, versionOf } from './version.ts';

/** The objects that clients contend for. */
export const trafficKeys: readonly string[] = [
  ...['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `default/${name}`),
  ...['one', 'seven', 'eight', 'nine'].map((name) => `other/${name}`),
];
export const colors: readonly string[] = ['red', 'green', 'blue'];

/** What reads and watches look at. */
export const scopes: readonly Scope[] = [
  everything,
  everything,
  { ...everything, namespace: 'default' },
  { ...everything, color: 'red' },
  { ...everything, namespace: 'other', color: 'blue' },
  { namespace: 'default', name: 'one', color: '' },
];

/** What all clients know of the objects; perhaps stale, as with any client. */
export class Knowledge {
  /** The newest revision that anybody has seen. */
  head = 1;
  readonly versions = new Map<string, Version>();

  see(version: Version): void {
    this.head = Math.max(this.head, version.revision);
    const known = this.versions.get(version.key);
    if (!known || known.revision < version.revision) this.versions.set(version.key, version);
  }
}

/** What a client of the traffic works with. */
export interface TrafficClient {
  readonly name: string;
  /** One is chosen for each request. */
  readonly servers: readonly ApiClient[];
  readonly random: Random;
  readonly knowledge: Knowledge;
  readonly history: History;
  /** Pause between the beginnings of two requests. */
  readonly intervalMs: number;
}

type Draft = Partial<Operation> & Pick<Operation, 'verb'>;
type Act = (client: TrafficClient, server: ApiClient, mark: string) => Promise<void>;

/** How often each kind of request is made, of all. */
const acts: readonly (readonly [number, Act])[] = [
  [16, create],
  [22, update],
  [10, patch],
  [12, remove],
  [18, get],
  [16, list],
  [6, listPages],
  [1, askTheFuture],
];
const allWeights = acts.reduce((sum, [weight]) => sum + weight, 0);

/** Makes one request after the other until the signal aborts. */
export async function runClient(client: TrafficClient, signal: AbortSignal): Promise<void> {
  const { random, servers, intervalMs, name } = client;
  for (let turn = 0; !signal.aborted; turn++) {
    const began = performance.now();
    await drawn(random)(client, random.pick(servers), `${name}-${turn}`);
    const left = intervalMs * (0.5 + random.next()) - (performance.now() - began);
    if (left > 0) await sleep(left, undefined, { signal }).catch(() => undefined);
  }
}

function drawn(random: Random): Act {
  let place = random.next() * allWeights;
  for (const [weight, act] of acts) {
    place -= weight;
    if (place < 0) return act;
  }
  return get;
}

async function create(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const { namespace } = split(key);
  const object = objectOf(client, key, mark);
  await write(client, { verb: 'create', key, mark }, () => server.send('POST', collectionPath({ namespace }), object));
}

async function update(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const known = someKnown(client);
  if (!known) return create(client, server, mark);
  // Now and then without a precondition, or with one that is surely old.
  const draw = client.random.next();
  const precondition = draw < 0.1 ? 0 : draw < 0.2 ? Math.max(1, known.revision - 1) : known.revision;
  const object = objectOf(client, known.key, mark, precondition);
  const draft = { verb: 'update', key: known.key, mark, precondition } as const;
  await write(client, draft, () => server.send('PUT', pathOf(known.key), object));
}

async function patch(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const change = { metadata: { labels: { color: client.random.pick(colors) } }, data: { mark } };
  const type = 'application/merge-patch+json';
  await write(client, { verb: 'patch', key, mark }, () => server.send('PATCH', pathOf(key), change, type));
}

async function remove(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const known = someKnown(client);
  if (!known) return create(client, server, mark);
  const draw = client.random.next();
  const uid = draw < 0.6 ? known.uid : '';
  const precondition = draw < 0.3 ? known.revision : 0;
  const preconditions = {
    ...(uid === '' ? {} : { uid }),
    ...(precondition === 0 ? {} : { resourceVersion: String(precondition) }),
  };
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
  const draft = { verb: 'delete', key: known.key, uid, precondition } as const;
  await write(client, draft, () => server.send('DELETE', pathOf(known.key), body));
}

async function get(client: TrafficClient, server: ApiClient): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const freshness = someFreshness(client, ['latest', 'latest', 'latest', 'any', 'notOlderThan']);
  const revision = 'revision' in freshness ? freshness.revision : freshness.kind === 'any' ? 0 : undefined;
  const path = pathOf(key) + queryOf(everything, { resourceVersion: revision });
  await record(client, { verb: 'get', key, freshness }, async () => {
    const answer = await server.send('GET', path);
    if (answer.status !== 200) return failure(answer);
    return { ...ok(answer), object: seen(client, versionOf(answer.body as TrafficObject)) };
  });
}

async function list(client: TrafficClient, server: ApiClient): Promise<void> {
  const scope = client.random.pick(scopes);
  const freshness = someFreshness(client, ['latest', 'latest', 'any', 'notOlderThan', 'exact']);
  await record(client, { verb: 'list', scope, freshness }, () => readPages(client, server, scope, freshness, 0));
}

async function listPages(client: TrafficClient, server: ApiClient): Promise<void> {
  const scope = client.random.pick(scopes);
  const freshness = someFreshness(client, ['latest', 'exact']);
  const limit = client.random.between(1, 4);
  await record(client, { verb: 'list', scope, freshness }, () => readPages(client, server, scope, freshness, limit));
}

async function askTheFuture(client: TrafficClient, server: ApiClient): Promise<void> {
  const freshness = { kind: 'tooNew' } as const;
  await record(client, { verb: 'list', freshness }, () => readPages(client, server, everything, freshness, 0));
}

/** Far beyond what a run writes while the server waits for it. */
const farAhead = 1_000_000;

/** Reads a list, all pages, and records as a client would the first thing that goes wrong. */
export async function readPages(
  client: Pick<TrafficClient, 'knowledge' | 'random'>,
  server: ApiClient,
  scope: Scope,
  freshness: Freshness,
  limit: number,
): Promise<Partial<Operation>> {
  const found = { revisions: [], items: [], remaining: [], pageSizes: [] } as {
    [K in keyof ListAnswer]: ListAnswer[K][number][];
  };
  const first = { ...listParameters(freshness, client.knowledge.head), limit: limit || undefined };
  for (let token = ''; ; ) {
    const query = queryOf(scope, token === '' ? first : { limit, continue: token });
    const answer = await server.send('GET', collectionPath(scope) + query);
    const [revision] = found.revisions;
    if (answer.status === 410 && revision !== undefined) {
      const fresh = (answer.body as ListBody | undefined)?.metadata?.continue ?? '';
      return { ...failure(answer), expired: { revision, token: fresh !== '' } };
    }
    if (answer.status !== 200) return failure(answer);
    const { metadata, items } = answer.body as Required<ListBody>;
    found.revisions.push(Number(metadata.resourceVersion));
    found.items.push(...items.map((item) => versionOf(item)));
    found.pageSizes.push(items.length);
    found.remaining.push(metadata.remainingItemCount);
    client.knowledge.head = Math.max(client.knowledge.head, Number(metadata.resourceVersion));
    token = metadata.continue ?? '';
    if (token === '') return { ...ok(answer), list: found };
    await sleep(client.random.between(0, 60));
  }
}

interface ListBody {
  readonly metadata?: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly TrafficObject[];
}

function listParameters(freshness: Freshness, head: number): Readonly<Record<string, string | number>> {
  if (freshness.kind === 'latest') return {};
  if (freshness.kind === 'any') return { resourceVersion: 0 };
  const resourceVersion = freshness.kind === 'tooNew' ? head + farAhead : freshness.revision;
  return { resourceVersion, resourceVersionMatch: freshness.kind === 'exact' ? 'Exact' : 'NotOlderThan' };
}

async function write(client: TrafficClient, draft: Draft, send: () => Promise<Answer>): Promise<void> {
  await record(client, draft, async () => {
    const answer = await send();
    if (answer.status !== 200 && answer.status !== 201) {
      if (answer.status === 404) client.knowledge.versions.delete(draft.key ?? '');
      return failure(answer);
    }
    if (draft.verb !== 'delete')
      return { ...ok(answer), object: seen(client, versionOf(answer.body as TrafficObject)) };
    client.knowledge.versions.delete(draft.key ?? '');
    const body = answer.body as { metadata?: { uid?: string }; details?: { uid?: string } };
    const uid = body.details?.uid ?? body.metadata?.uid ?? '';
    return { ...ok(answer), object: { key: draft.key ?? '', revision: 0, uid, body: '', color: '', mark: '' } };
  });
}

/** Takes the time of an operation and adds it to the history. */
export async function record(
  client: Pick<TrafficClient, 'name' | 'history'>,
  draft: Draft,
  act: () => Promise<Partial<Operation>>,
): Promise<Operation> {
  const call = now();
  const result = await act().catch((error: unknown) => broken(error));
  const operation: Operation = {
    client: client.name,
    key: '',
    call,
    return: now(),
    outcome: 'unknown',
    status: 0,
    reason: '',
    precondition: 0,
    uid: '',
    mark: '',
    freshness: { kind: 'latest' },
    object: undefined,
    scope: everything,
    list: undefined,
    expired: undefined,
    saysTooLarge: false,
    ...draft,
    ...result,
  };
  client.history.operations.push(operation);
  return operation;
}

function ok({ status }: Answer): Pick<Operation, 'outcome' | 'status'> {
  return { outcome: 'ok', status };
}

/** A connection that broke tells nothing of what became of the request. */
function broken(error: unknown): Partial<Operation> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return { outcome: 'unknown', status: 0, reason: code };
}

function failure(answer: Answer): Partial<Operation> {
  const status = answer.body as StatusBody | undefined;
  const causes = status?.details?.causes ?? [];
  const saysTooLarge = causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') && answer.retryAfter !== '';
  const tells = [429, 504].includes(answer.status) && saysTooLarge;
  return {
    outcome: answer.status < 500 || tells ? 'refused' : 'unknown',
    status: answer.status,
    reason: status?.reason ?? '',
    saysTooLarge,
  };
}

interface StatusBody {
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string }[] };
}

function someFreshness({ random, knowledge }: TrafficClient, kinds: readonly Freshness['kind'][]): Freshness {
  const kind = random.pick(kinds);
  if (kind === 'exact') return { kind, revision: Math.max(2, knowledge.head - random.between(0, 100)) };
  return kind === 'notOlderThan' ? { kind, revision: knowledge.head } : { kind };
}

function seen({ knowledge }: TrafficClient, version: Version): Version {
  knowledge.see(version);
  return version;
}

function someKnown({ knowledge, random }: TrafficClient): Version | undefined {
  return knowledge.versions.get(random.pick(trafficKeys));
}

function objectOf({ random }: TrafficClient, key: string, mark: string, revision = 0): object {
  const { namespace, name } = split(key);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { color: random.pick(colors) },
      ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    },
    data: { mark },
  };
}

function pathOf(key: string): string {
  const { namespace, name } = split(key);
  return `${collectionPath({ namespace })}/${name}`;
}

function split(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
