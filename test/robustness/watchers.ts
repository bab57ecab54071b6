import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, collectionPath, now, queryOf } from './api-client.ts';
import type { Reflection, Scope, WatchDocument, WatchRecord, WatchStart } from './history.ts';
import { record } from './record-operation.ts';
import { scopes, type TrafficClient } from './traffic-client.ts';
import { readPages } from './traffic-reads.ts';
import { type TrafficObject, versionOf } from './version.ts';

interface WatchPlan {
  readonly scope: Scope;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  /** After so long the client breaks the connection; undefined waits for the server's end. */
  readonly cutAfterMs?: number;
  readonly timeoutSeconds?: number;
}

/** A pause behind a watch that was refused or broke, as clients make one. */
const pauseMs = 100;

/** Opens watches one after the other, most of them from where the last one was cut, until the signal aborts. */
export async function runWatcher(client: TrafficClient, signal: AbortSignal): Promise<void> {
  const { random, servers } = client;
  let last: WatchRecord | undefined;
  while (!signal.aborted) {
    const plan = (random.next() < 0.7 ? resumed(client, last) : undefined) ?? somePlan(client);
    last = await watch(client, random.pick(servers), plan, signal);
    if (last.status !== 200 || last.errorCode !== 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function resumed(client: TrafficClient, last: WatchRecord | undefined): WatchPlan | undefined {
  const document = last?.documents.at(-1);
  // The state that a watch begins with is no place to go on from, before all of it has come.
  if (!last || !document || (last.start.kind === 'state' && document.type === 'ADDED')) return undefined;
  const start = { kind: 'after', revision: document.revision } as const;
  return { scope: last.scope, start, bookmarks: last.bookmarks, cutAfterMs: client.random.between(200, 1_500) };
}

function somePlan({ random, knowledge }: TrafficClient): WatchPlan {
  const scope = random.pick(scopes);
  const draw = random.next();
  const cutAfterMs = random.between(200, 2_000);
  if (draw < 0.5) {
    const revision = Math.max(1, knowledge.head + random.between(-100, 5));
    return { scope, start: { kind: 'after', revision }, bookmarks: random.next() < 0.5, cutAfterMs };
  }
  // With a time of its own, for the bookmark that comes shortly before it.
  if (draw < 0.7) {
    const revision = Math.max(1, knowledge.head + random.between(-20, 0));
    return { scope, start: { kind: 'after', revision }, bookmarks: true, timeoutSeconds: random.between(3, 4) };
  }
  const linearizable = random.next() < 0.5;
  const marksItsEnd = random.next() < 0.5;
  return { scope, start: { kind: 'state', linearizable, marksItsEnd }, bookmarks: marksItsEnd, cutAfterMs };
}

/** Lists, then follows by watches that are cut and resumed, for as long as the signal allows. */
export async function runReflector(client: TrafficClient, scope: Scope, signal: AbortSignal): Promise<void> {
  const { random, servers, history } = client;
  while (!signal.aborted) {
    const freshness = { kind: 'latest' } as const;
    const readAll = () => readPages(client, random.pick(servers), scope, freshness, random.pick([0, 3]));
    const list = await record(client, { verb: 'list', scope, freshness }, readAll);
    const revision = list.list?.revisions[0];
    if (list.outcome !== 'ok' || revision === undefined) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const reflection: Reflection = { list, watches: [] };
    history.reflections.push(reflection);
    await follow(client, reflection, revision, signal);
  }
}

/** Watches from a list on, until history is lost. */
async function follow(client: TrafficClient, reflection: Reflection, from: number, signal: AbortSignal): Promise<void> {
  const { random, servers } = client;
  const { scope } = reflection.list;
  let revision = from;
  while (!signal.aborted) {
    const plan = {
      scope,
      start: { kind: 'after', revision },
      bookmarks: true,
      cutAfterMs: random.between(500, 8_000),
    } as const;
    const last = await watch(client, random.pick(servers), plan, signal, (begun) => reflection.watches.push(begun));
    revision = last.documents.at(-1)?.revision ?? revision;
    if (last.status === 410 || last.errorCode === 410) return;
    if (last.status !== 200) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One watch, kept in the history as it goes. */
async function watch(
  { history, name, knowledge }: TrafficClient,
  server: ApiClient,
  plan: WatchPlan,
  signal: AbortSignal,
  begun: (begun: WatchRecord) => unknown = () => undefined,
): Promise<WatchRecord> {
  const { scope, start, bookmarks, cutAfterMs, timeoutSeconds } = plan;
  const watching: WatchRecord = {
    client: name,
    scope,
    start,
    bookmarks,
    call: now(),
    status: 0,
    cut: false,
    documents: [],
    errorCode: 0,
    mustReach: 0,
  };
  history.watches.push(watching);
  begun(watching);
  const query = queryOf(scope, {
    watch: 1,
    ...startParameters(start),
    allowWatchBookmarks: bookmarks || undefined,
    timeoutSeconds,
  });
  const cut = cutAfterMs === undefined ? undefined : AbortSignal.timeout(cutAfterMs);
  const ended = cut ? AbortSignal.any([signal, cut]) : signal;
  const take = (line: string): void => {
    const document = read(line, watching);
    if (!document) return;
    watching.documents.push(document);
    knowledge.head = Math.max(knowledge.head, document.revision);
  };
  const status = (code: number): void => {
    watching.status = code;
  };
  await server.stream(collectionPath(scope) + query, ended, { status, line: take }).catch(() => undefined);
  watching.cut = ended.aborted;
  return watching;
}

function startParameters(start: WatchStart): Readonly<Record<string, string | number | boolean | undefined>> {
  if (start.kind === 'after') return { resourceVersion: start.revision };
  const resourceVersion = start.linearizable ? undefined : 0;
  if (!start.marksItsEnd) return { resourceVersion };
  return { resourceVersion, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true };
}

interface WireDocument {
  readonly type: WatchDocument['type'] | 'ERROR';
  readonly object: TrafficObject & {
    readonly code?: number;
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  };
}

function read(line: string, watching: WatchRecord): WatchDocument | undefined {
  if (watching.status !== 200) return undefined;
  const { type, object } = JSON.parse(line) as WireDocument;
  if (type === 'ERROR') {
    watching.errorCode = object.code ?? 500;
    return undefined;
  }
  const revision = Number(object.metadata.resourceVersion);
  const isBookmark = type === 'BOOKMARK';
  const marks = Object.keys(object.metadata.annotations ?? {});
  return {
    at: now(),
    type,
    revision,
    version: isBookmark ? undefined : versionOf(object),
    endsInitialState: isBookmark && marks.some((mark) => mark.endsWith('/initial-events-end')),
  };
}
