import {
  covers,
  coversKey,
  emptyHistory,
  everything,
  type Freshness,
  type History,
  type Operation,
  type Scope,
  type Version,
  type WatchDocument,
  type WatchRecord,
  unsaid,
} from './history.ts';
import { EventLog, type LogEntry } from './event-log.ts';
import { type Random, randomFrom } from './random.ts';

const keys = ['a/one', 'a/two', 'a/three', 'b/four', 'b/five'];
const colors = ['red', 'green', 'blue'];
const scopes: readonly Scope[] = [
  everything,
  { ...everything, namespace: 'a' },
  { ...everything, color: 'red' },
  { namespace: 'a', name: 'one', color: '' },
];

/** What clients of a faultless server saw, and what its etcd told. */
export interface ModelRun {
  readonly history: History;
  readonly changes: Omit<LogEntry, 'previous'>[];
  readonly log: EventLog;
}

/**
 * A run of a server that keeps every promise, made up without one: requests that overlap, in the order of their numbers, and
 * watches that are told each change as it happens. Planted bugs are put into such histories.
 */
export function modelRun(seed: number, steps = 600): ModelRun {
  const random = randomFrom(seed);
  const history = emptyHistory(true);
  const server = new ModelServer();
  for (let step = 0; step < steps; step++) {
    const call = step * 10;
    if (step % 40 === 5) server.openWatch(history, random, call);
    history.operations.push(server.request(random, `mark-${step}`, call));
  }
  for (const watch of history.watches) watch.mustReach = server.revision;
  reflect(history, server, steps * 10);
  return { history, changes: server.changes, log: new EventLog(server.changes) };
}

/** Adds a reflector that has followed everything from a list on. */
function reflect(history: History, server: ModelServer, at: number): void {
  const list = history.operations.find((operation) => operation.list && operation.scope === everything);
  if (!list) return;
  const watch = watchRecord(everything, { kind: 'after', revision: list.list?.revisions[0] ?? 0 }, at);
  const log = new EventLog(server.changes);
  const from = list.list?.revisions[0] ?? 0;
  watch.documents.push(
    ...log.events(everything, from, server.revision).map(({ type, revision, version }) => ({
      at,
      type,
      revision,
      version: { ...version, revision },
      endsInitialState: false,
    })),
  );
  history.watches.push(watch);
  history.reflections.push({ list, watches: [watch] });
}

class ModelServer {
  revision = 1;
  readonly changes: Omit<LogEntry, 'previous'>[] = [];
  readonly #live = new Map<string, Version>();
  readonly #watches: WatchRecord[] = [];
  #uids = 0;

  openWatch(history: History, random: Random, call: number): void {
    const scope = random.pick(scopes);
    const fromState = random.next() < 0.5;
    const marksItsEnd = fromState && random.next() < 0.5;
    const watch = watchRecord(
      scope,
      fromState ? { kind: 'state', linearizable: true, marksItsEnd } : { kind: 'after', revision: this.revision },
      call,
    );
    const initial = fromState ? this.#state(scope) : [];
    watch.documents.push(...initial.map((version) => documentOf(call + 1, 'ADDED', version)));
    if (marksItsEnd) watch.documents.push({ ...bookmark(call + 1, this.revision), endsInitialState: true });
    history.watches.push(watch);
    this.#watches.push(watch);
  }

  request(random: Random, mark: string, call: number): Operation {
    const key = random.pick(keys);
    const current = this.#live.get(key);
    const draw = random.next();
    const base = newOperation({ key, mark, call, verb: 'get' });
    if (draw < 0.2) return { ...base, mark: '', ...found(current) };
    if (draw < 0.35) return this.#list(base, random.pick(scopes), { kind: 'latest' });
    if (draw < 0.45) for (const watch of this.#watches) watch.documents.push(bookmark(call + 8, this.revision));
    if (!current) return { ...base, verb: 'create', object: this.#put(key, mark, random.pick(colors), call) };
    if (draw < 0.5) return { ...base, verb: 'create', ...refused(409, 'AlreadyExists') };
    if (draw < 0.6) return { ...base, mark: '', verb: 'delete', object: this.#delete(current, call) };
    const conflict = draw > 0.95;
    const precondition = conflict ? current.revision - 1 : current.revision;
    const update = { ...base, verb: 'update', precondition } as const;
    if (conflict) return { ...update, ...refused(409, 'Conflict') };
    const object = this.#put(key, mark, random.pick(colors), call);
    return draw > 0.9 ? { ...update, object: undefined, outcome: 'unknown', status: 504 } : { ...update, object };
  }

  #list(base: Operation, scope: Scope, freshness: Freshness): Operation {
    const items = this.#state(scope);
    const list = { revisions: [this.revision], items, remaining: [undefined], pageSizes: [items.length] };
    return { ...base, verb: 'list', key: '', mark: '', scope, freshness, list };
  }

  #put(key: string, mark: string, color: string, call: number): Version {
    const before = this.#live.get(key);
    const uid = before?.uid ?? `uid-${++this.#uids}`;
    const version: Version = { key, revision: ++this.revision, uid, body: `body of ${mark}`, color, mark };
    this.#live.set(key, version);
    this.#tell(key, before, version, call);
    return version;
  }

  #delete(current: Version, call: number): Version {
    this.revision++;
    this.#live.delete(current.key);
    this.#tell(current.key, current, undefined, call);
    return { ...current, revision: 0 };
  }

  #tell(key: string, before: Version | undefined, current: Version | undefined, call: number): void {
    const { revision } = this;
    this.changes.push({ key, revision, current });
    for (const { scope, documents } of this.#watches) {
      if (!coversKey(scope, key)) continue;
      const was = before && covers(scope, before);
      const is = current && covers(scope, current);
      if (current && is) documents.push(documentOf(call + 9, was ? 'MODIFIED' : 'ADDED', current));
      else if (before && was) documents.push(documentOf(call + 9, 'DELETED', { ...before, revision }));
    }
  }

  #state(scope: Scope): Version[] {
    const versions = [...this.#live.values()].filter((version) => covers(scope, version));
    return versions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}

function newOperation(given: Pick<Operation, 'key' | 'mark' | 'call' | 'verb'>): Operation {
  return {
    ...unsaid,
    ...given,
    client: 'model',
    return: given.call + 15,
    outcome: 'ok',
    status: 200,
  };
}

function found(current: Version | undefined): Partial<Operation> {
  return current ? { object: current } : refused(404, 'NotFound');
}

function refused(status: number, reason: string): Pick<Operation, 'outcome' | 'status' | 'reason'> {
  return { outcome: 'refused', status, reason };
}

function watchRecord(scope: Scope, start: WatchRecord['start'], call: number): WatchRecord {
  return {
    client: 'watcher',
    scope,
    start,
    bookmarks: true,
    call,
    status: 200,
    cut: false,
    documents: [],
    errorCode: 0,
    mustReach: 0,
  };
}

function documentOf(at: number, type: WatchDocument['type'], version: Version): WatchDocument {
  return { at, type, revision: version.revision, version, endsInitialState: false };
}

function bookmark(at: number, revision: number): WatchDocument {
  return { at, type: 'BOOKMARK', revision, version: undefined, endsInitialState: false };
}
