import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, collectionPath, objectPath, queryOf } from './api-client.ts';
import { everything, type Freshness, type ListResponse, type Operation, type Scope } from './history.ts';
import { failure, ok, record } from './record-operation.ts';
import { scopes, seen, type TrafficClient, trafficKeys } from './traffic-client.ts';
import { type TrafficObject, versionOf } from './version.ts';

/** Reads one object, mostly the newest. */
export async function get(client: TrafficClient, server: ApiClient): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const freshness = someFreshness(client, ['latest', 'latest', 'latest', 'any', 'notOlderThan']);
  const revision = 'revision' in freshness ? freshness.revision : freshness.kind === 'any' ? 0 : undefined;
  const path = objectPath(key) + queryOf(everything, { resourceVersion: revision });
  await record(client, { verb: 'get', key, freshness }, async () => {
    const response = await server.send('GET', path);
    if (response.status !== 200) return failure(response);
    return { ...ok(response), object: seen(client, versionOf(response.body as TrafficObject)) };
  });
}

/** Reads a collection in one piece. */
export async function list(client: TrafficClient, server: ApiClient): Promise<void> {
  const scope = client.random.pick(scopes);
  const freshness = someFreshness(client, ['latest', 'latest', 'any', 'notOlderThan', 'exact']);
  await record(client, { verb: 'list', scope, freshness }, () => readPages(client, server, scope, freshness, 0));
}

/** Reads a collection page by page. */
export async function listPages(client: TrafficClient, server: ApiClient): Promise<void> {
  const scope = client.random.pick(scopes);
  const freshness = someFreshness(client, ['latest', 'exact']);
  const limit = client.random.between(1, 4);
  await record(client, { verb: 'list', scope, freshness }, () => readPages(client, server, scope, freshness, limit));
}

/** Asks for a state that nobody has written yet. */
export async function askTheFuture(client: TrafficClient, server: ApiClient): Promise<void> {
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
    [K in keyof ListResponse]: ListResponse[K][number][];
  };
  const first = { ...listParameters(freshness, client.knowledge.head), limit: limit || undefined };
  for (let token = ''; ; ) {
    const query = queryOf(scope, token === '' ? first : { limit, continue: token });
    const response = await server.send('GET', collectionPath(scope) + query);
    const [revision] = found.revisions;
    if (response.status === 410 && revision !== undefined) {
      const fresh = (response.body as ListBody | undefined)?.metadata?.continue ?? '';
      return { ...failure(response), expired: { revision, token: fresh !== '' } };
    }
    if (response.status !== 200) return failure(response);
    const { metadata, items } = response.body as Required<ListBody>;
    found.revisions.push(Number(metadata.resourceVersion));
    found.items.push(...items.map((item) => versionOf(item)));
    found.pageSizes.push(items.length);
    found.remaining.push(metadata.remainingItemCount);
    client.knowledge.head = Math.max(client.knowledge.head, Number(metadata.resourceVersion));
    token = metadata.continue ?? '';
    if (token === '') return { ...ok(response), list: found };
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

function someFreshness({ random, knowledge }: TrafficClient, kinds: readonly Freshness['kind'][]): Freshness {
  const kind = random.pick(kinds);
  if (kind === 'exact') return { kind, revision: Math.max(2, knowledge.head - random.between(0, 100)) };
  return kind === 'notOlderThan' ? { kind, revision: knowledge.head } : { kind };
}
