import { covers, coversKey, type Scope, type Version } from './history.ts';
import { placeAfter } from './place-after.ts';

/** One change of one object as etcd told it. */
export interface LogEntry {
  readonly key: string;
  readonly revision: number;
  /** Undefined for a deletion. */
  readonly current: Version | undefined;
  /** Undefined where there was no object before. */
  readonly previous: Version | undefined;
}

/** What a watch with a scope should be told of one entry. */
export interface ExpectedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED, the last state that the scope covered. */
  readonly version: Version;
}

/** All changes of the traffic's objects from the first revision on: the referee's truth. */
export class EventLog {
  readonly entries: readonly LogEntry[];
  readonly byMark: ReadonlyMap<string, LogEntry>;
  /** The deletion of each uid. */
  readonly deletions: ReadonlyMap<string, LogEntry>;
  readonly #byKey = new Map<string, LogEntry[]>();

  constructor(changes: readonly Omit<LogEntry, 'previous'>[]) {
    const live = new Map<string, Version>();
    this.entries = changes.map((change) => {
      const entry: LogEntry = { ...change, previous: live.get(change.key) };
      if (entry.current) live.set(entry.key, entry.current);
      else live.delete(entry.key);
      const ofKey = this.#byKey.get(entry.key) ?? [];
      ofKey.push(entry);
      this.#byKey.set(entry.key, ofKey);
      return entry;
    });
    this.byMark = new Map(this.entries.flatMap((entry) => (entry.current?.mark ? [[entry.current.mark, entry]] : [])));
    this.deletions = new Map(
      this.entries.flatMap((entry) => (!entry.current && entry.previous ? [[entry.previous.uid, entry]] : [])),
    );
  }

  /** The newest revision of an object. */
  get revision(): number {
    return this.entries.at(-1)?.revision ?? 0;
  }

  /** The object at a key, as it was at a revision. */
  at(key: string, revision: number): Version | undefined {
    const entries = this.#byKey.get(key) ?? [];
    return entries[placeAfter(entries, revision) - 1]?.current;
  }

  /** The change of a key that made `revision` past. */
  next(key: string, revision: number): LogEntry | undefined {
    const entries = this.#byKey.get(key) ?? [];
    return entries[placeAfter(entries, revision)];
  }

  /** The change of a key at exactly this revision. */
  change(key: string, revision: number): LogEntry | undefined {
    const entries = this.#byKey.get(key) ?? [];
    const entry = entries[placeAfter(entries, revision) - 1];
    return entry?.revision === revision ? entry : undefined;
  }

  /** The spans of revisions [from, to) in which a key had no object. */
  absences(key: string): { readonly from: number; readonly to: number }[] {
    const spans: { from: number; to: number }[] = [];
    let from: number | undefined = 0;
    for (const { revision, current } of this.#byKey.get(key) ?? []) {
      if (current && from !== undefined) spans.push({ from, to: revision });
      from = current ? undefined : revision;
    }
    if (from !== undefined) spans.push({ from, to: Number.POSITIVE_INFINITY });
    return spans;
  }

  /** What a scope covers at a revision, by key. */
  state(scope: Scope, revision: number): Version[] {
    const versions = [...this.#byKey.keys()].toSorted().map((key) => this.at(key, revision));
    return versions.filter((version) => version !== undefined && covers(scope, version)) as Version[];
  }

  /** What a watch of a scope should be told of the changes after `from` and up to `to`. */
  events(scope: Scope, from: number, to: number): ExpectedEvent[] {
    const changes = this.entries.slice(placeAfter(this.entries, from), placeAfter(this.entries, to));
    return changes.filter(({ key }) => coversKey(scope, key)).flatMap((entry) => expectedEvent(scope, entry) ?? []);
  }
}

function expectedEvent(scope: Scope, { current, previous, revision }: LogEntry): ExpectedEvent | undefined {
  const now = current && covers(scope, current) ? current : undefined;
  const before = previous && covers(scope, previous) ? previous : undefined;
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', revision, version: now };
  return before && { type: 'DELETED', revision, version: before };
}
