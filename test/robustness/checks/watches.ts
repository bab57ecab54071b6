import type { ExpectedEvent } from '../event-log.ts';
import type { Finding, WatchDocument, WatchRecord } from '../history.ts';
import { type Check, type Evidence, toldWatch } from './check.ts';

/** P5: after the initial state, revisions rise; an event behind a bookmark is newer than it. */
export const watchesAreOrdered: Check = ({ history, log }) =>
  history.watches.flatMap((watch) => {
    const { from, live } = begin(watch, { log });
    let reached = from;
    return live.flatMap(({ type, revision }) => {
      const right = type === 'BOOKMARK' ? revision >= reached : revision > reached;
      const before = reached;
      reached = Math.max(reached, revision);
      return right
        ? []
        : [{ promise: 'P5', message: `${toldWatch(watch)}: ${type} ${revision} came behind ${before}` }];
    });
  });

/** P6: nothing is told twice. */
export const watchesAreUnique: Check = ({ history }) =>
  history.watches.flatMap((watch) => {
    const seen = new Set<string>();
    return watch.documents.flatMap(({ version, revision }) => {
      if (!version) return [];
      const event = `${version.key} ${revision}`;
      const twice = seen.has(event);
      seen.add(event);
      return twice ? [{ promise: 'P6', message: `${toldWatch(watch)}: ${event} came twice` }] : [];
    });
  });

/** P8, P9: between its start and the last thing it said, a watch told every change that it covers, and no other. */
export const watchesAreReliable: Check = ({ history, log }) =>
  history.watches.flatMap((watch) => {
    const { live, expected } = compared(watch, { log });
    const delivered = new Set(live.filter(({ version }) => version).map(({ revision }) => revision));
    const due = new Set(expected.map(({ revision }) => revision));
    const missing = [...due].filter((revision) => !delivered.has(revision));
    const invented = [...delivered].filter((revision) => !due.has(revision));
    const findings: Finding[] = [];
    if (missing.length > 0) findings.push({ promise: 'P8', message: `${toldWatch(watch)}: misses ${some(missing)}` });
    if (invented.length > 0)
      findings.push({ promise: 'P8', message: `${toldWatch(watch)}: made up ${some(invented)}` });
    return findings;
  });

/** P11, P12: what enters the scope is ADDED, what leaves it is DELETED with the last state inside, all else is MODIFIED. */
export const eventsAreOfTheRightKind: Check = ({ history, log }) =>
  history.watches.flatMap((watch) => {
    const { live, expected } = compared(watch, { log });
    const byRevision = new Map(live.filter(({ version }) => version).map((document) => [document.revision, document]));
    return expected.flatMap((event) => {
      const problem = difference(event, byRevision.get(event.revision));
      return problem ? [{ promise: 'P12', message: `${toldWatch(watch)}: ${problem}` }] : [];
    });
  });

function difference(event: ExpectedEvent, document: WatchDocument | undefined): string | undefined {
  if (!document?.version) return undefined;
  const { type, revision, version } = event;
  if (document.type !== type) return `${document.type} ${version.key} ${revision} should be ${type}`;
  const right = document.version.key === version.key && document.version.body === version.body;
  return right ? undefined : `${type} ${version.key} ${revision} carries another state`;
}

/** P14: a watch that begins with the state tells exactly one state, and a watch without a revision no old one. */
export const initialStatesAreStates: Check = ({ history, log, time }) =>
  history.watches.flatMap((watch) => {
    const { start } = watch;
    if (start.kind !== 'state' || watch.status !== 200) return [];
    const { initial, stateRevision } = begin(watch, { log });
    if (stateRevision === undefined) return [];
    const findings: Finding[] = [];
    const expected = log.state(watch.scope, stateRevision);
    const found = new Map(initial.map(({ version, revision }) => [version?.key, revision]));
    const same = expected.length === found.size && expected.every(({ key, revision }) => found.get(key) === revision);
    if (!same) findings.push({ promise: 'P14', message: `${toldWatch(watch)}: not the state at ${stateRevision}` });
    const ends = watch.documents.some(({ endsInitialState }) => endsInitialState);
    if (ends && start.linearizable && stateRevision < time.atLeast(watch.call)) {
      findings.push({ promise: 'P14', message: `${toldWatch(watch)}: begins with an old state, ${stateRevision}` });
    }
    return findings;
  });

/** P10: bookmarks come to those who asked, name nothing but a revision, and only one ends the initial state. */
export const bookmarksAreAskedFor: Check = ({ history }) =>
  history.watches.flatMap((watch) => {
    const bookmarks = watch.documents.filter(({ type }) => type === 'BOOKMARK');
    const findings: Finding[] = [];
    if (!watch.bookmarks && bookmarks.length > 0) {
      findings.push({ promise: 'P10', message: `${toldWatch(watch)}: a bookmark that nobody asked for` });
    }
    const ends = bookmarks.filter(({ endsInitialState }) => endsInitialState).length;
    const allowed = watch.start.kind === 'state' && watch.start.marksItsEnd ? 1 : 0;
    if (ends > allowed) findings.push({ promise: 'P10', message: `${toldWatch(watch)}: ${ends} ends of the state` });
    return findings;
  });

/** P15: a watch is told that its history is gone only if it is. */
export const lostHistoryIsLost: Check = ({ history, log }) =>
  history.watches
    .filter(({ status, errorCode }) => status === 410 || errorCode === 410)
    .flatMap((watch) => {
      const { from, live } = begin(watch, { log });
      // Nothing tells how old the state is with which such a watch began.
      if (watch.start.kind === 'state' && live.length === 0) return [];
      const reached = Math.max(from, ...watch.documents.map(({ revision }) => revision));
      // A server whose own watch was compacted ends all watches, also those that have just reached that revision.
      if (reached <= history.compactedTo) return [];
      const message = `${toldWatch(watch)}: 410 at ${reached}, compacted is ${history.compactedTo}`;
      return [{ promise: 'P15', message }];
    });

/** P30: a watch is refused, or ends with an error, only where the fault explains it. */
export const watchesAreNotRefused: Check = ({ history }) =>
  history.watches
    .filter(({ status, errorCode, cut }) => {
      const code = errorCode || status;
      if (code === 200 || code === 410 || (code === 0 && cut)) return false;
      return !(history.errorsExpected && (code === 0 || code >= 500 || code === 429));
    })
    .map((watch) => ({ promise: 'P30', message: `${toldWatch(watch)}: ${watch.status} ${watch.errorCode}` }));

/** P13: a map built by list and watch, watch after watch, is the state at the last revision that it heard of. */
export const reflectionsAreTheState: Check = ({ history, log }) =>
  history.reflections.flatMap(({ list, watches }) => {
    const found = new Map((list.list?.items ?? []).map((version) => [version.key, version.revision]));
    let reached = list.list?.revisions[0] ?? 0;
    for (const document of watches.flatMap(({ documents }) => documents)) {
      reached = Math.max(reached, document.revision);
      if (document.type === 'DELETED') found.delete(document.version?.key ?? '');
      else if (document.version) found.set(document.version.key, document.revision);
    }
    const expected = log.state(list.scope, reached);
    const same = expected.length === found.size && expected.every(({ key, revision }) => found.get(key) === revision);
    if (same) return [];
    return [{ promise: 'P13', message: `${list.client}: the map is not the state at ${reached}` }];
  });

interface Beginning {
  /** The revision behind which events are due. */
  readonly from: number;
  /** Of the initial state; undefined where nothing tells. */
  readonly stateRevision: number | undefined;
  readonly initial: readonly WatchDocument[];
  readonly live: readonly WatchDocument[];
}

/**
 * Divides a watch into its initial state and what follows. Where no bookmark ends the state, the ADDED documents in ascending
 * order of their keys are it; that the first live ones may be taken for part of it does no harm, for then the state with
 * them is one too. Its revision is then known by what follows: nothing that is covered happened between.
 */
function begin({ start, documents }: WatchRecord, { log }: Pick<Evidence, 'log'>): Beginning {
  if (start.kind === 'after') return { from: start.revision, stateRevision: undefined, initial: [], live: documents };
  const end = documents.findIndex(({ endsInitialState }) => endsInitialState);
  if (end >= 0) {
    const revision = documents[end]?.revision ?? 0;
    return {
      from: revision,
      stateRevision: revision,
      initial: documents.slice(0, end),
      live: documents.slice(end + 1),
    };
  }
  const size = leadingState(documents);
  const initial = documents.slice(0, size);
  const live = documents.slice(size);
  const next = live[0];
  const highest = Math.max(0, ...initial.map(({ revision }) => revision));
  if (!next) return { from: log.revision, stateRevision: undefined, initial, live };
  const revision = next.type === 'BOOKMARK' ? next.revision : next.revision - 1;
  return { from: Math.max(highest, next.type === 'BOOKMARK' ? 0 : revision), stateRevision: revision, initial, live };
}

function leadingState(documents: readonly WatchDocument[]): number {
  let last = '';
  const end = documents.findIndex(({ type, version }) => {
    const belongs = type === 'ADDED' && version !== undefined && version.key > last;
    last = version?.key ?? last;
    return !belongs;
  });
  return end < 0 ? documents.length : end;
}

/** What came behind the initial state, and what should have. */
function compared(watch: WatchRecord, { log }: Pick<Evidence, 'log'>) {
  const { from, live, stateRevision } = begin(watch, { log });
  const bookmarked = stateRevision !== undefined && live[0]?.type === 'BOOKMARK' && from < stateRevision;
  const start = bookmarked ? stateRevision : from;
  const last = Math.max(start, watch.mustReach, ...live.map(({ revision }) => revision));
  return { live, expected: log.events(watch.scope, start, last) };
}

function some(revisions: readonly number[]): string {
  const shown = revisions.slice(0, 5).join(', ');
  return revisions.length > 5 ? `${shown} and ${revisions.length - 5} more` : shown;
}
