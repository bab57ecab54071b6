import type { LogEntry } from '../event-log.ts';
import type { Finding, Operation } from '../history.ts';
import { witnessed } from '../real-time.ts';
import { type Check, type Evidence, describeOperation } from './check.ts';

const writing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'apply', 'delete']);
const putting: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'apply']);

/** P1: no two writes have one revision. */
export const writeRevisionsAreUnique: Check = ({ history, log }) => {
  const seen = new Map<number, Operation>();
  return succeeded(history.operations).flatMap((operation) => {
    const revision = witnessed(operation, log);
    const other = seen.get(revision);
    seen.set(revision, operation);
    return other && revision > 0
      ? [{ promise: 'P1', message: `${describeOperation(operation)} and ${describeOperation(other)} are one write` }]
      : [];
  });
};

/** P20: what was acknowledged is in the log, as it was answered. */
export const acknowledgedWritesAreThere: Check = ({ history, log }) =>
  succeeded(history.operations).flatMap((operation) => {
    const broken = (message: string): Finding[] => [
      { promise: 'P20', message: `${describeOperation(operation)}: ${message}` },
    ];
    if (operation.verb === 'delete') {
      return log.deletions.has(operation.object?.uid ?? '') ? [] : broken('etcd never told of the deletion');
    }
    const entry = log.byMark.get(operation.mark);
    if (!entry?.current) return broken('etcd never told of it');
    const { object } = operation;
    if (entry.revision !== object?.revision) return broken(`it is at ${entry.revision} in etcd`);
    return entry.current.body === object.body && entry.current.uid === object.uid
      ? []
      : broken('etcd has something else');
  });

/** P21: what was refused had no effect; only an unknown outcome may have had one. And nobody else writes. */
export const refusedWritesHaveNoEffect: Check = ({ history, log }) =>
  history.operations
    .filter(({ verb, outcome }) => putting.has(verb) && outcome === 'refused')
    .filter(({ mark }) => log.byMark.has(mark))
    .map((operation) => ({ promise: 'P21', message: `${describeOperation(operation)}, but it took place` }));

/** P2: a write under a precondition replaced exactly the state that it named. */
export const preconditionsHold: Check = ({ history, log }) =>
  history.operations.flatMap((operation) => {
    const entry = takenPlace(operation, { log });
    if (!entry) return [];
    const { precondition, demandedMark } = operation;
    const was = entry.previous?.revision ?? 'nothing';
    const broken = (demanded: string | number): Finding[] => [
      { promise: 'P2', message: `${describeOperation(operation)}: demanded ${demanded}, replaced ${was}` },
    ];
    if (precondition !== 0 && entry.previous?.revision !== precondition) return broken(precondition);
    if (demandedMark !== '' && entry.previous?.mark !== demandedMark) return broken(`mark ${demandedMark}`);
    return [];
  });

/** P22: etcd never tells of a dry run, whatever became of the request. */
export const dryRunsHaveNoEffect: Check = ({ history, log }) =>
  history.operations
    .filter(({ verb, mark }) => verb === 'dryRun' && log.byMark.has(mark))
    .map((operation) => ({ promise: 'P22', message: `${describeOperation(operation)}, but it took place` }));

/** P3: a creation happened where nothing was; every other write left the uid alone. */
export const creationsAreExclusive: Check = ({ history, log }) =>
  history.operations.flatMap((operation) => {
    const entry = takenPlace(operation, { log });
    if (!entry || operation.verb === 'delete') return [];
    const isCreation = operation.verb === 'create';
    if (isCreation && entry.previous)
      return [{ promise: 'P3', message: `${describeOperation(operation)}: there was one already` }];
    // An apply creates what is not there.
    if (isCreation || (operation.verb === 'apply' && !entry.previous)) return [];
    const kept = entry.previous !== undefined && entry.previous.uid === entry.current?.uid;
    return kept ? [] : [{ promise: 'P3', message: `${describeOperation(operation)}: changed which object it is` }];
  });

/** P4: a deletion under a uid took that object, and nobody is told twice that he deleted one. */
export const deletionsTakeWhatTheyName: Check = ({ history, log }) => {
  const deleted = new Set<string>();
  return succeeded(history.operations)
    .filter(({ verb }) => verb === 'delete')
    .flatMap((operation) => {
      const uid = operation.object?.uid ?? '';
      const twice = deleted.has(uid);
      deleted.add(uid);
      if (twice) return [{ promise: 'P4', message: `${describeOperation(operation)}: it was deleted before` }];
      if (operation.uid !== '' && operation.uid !== uid) {
        return [
          { promise: 'P4', message: `${describeOperation(operation)}: deleted ${uid} instead of ${operation.uid}` },
        ];
      }
      const entry = log.deletions.get(uid);
      const right = entry === undefined || entry.key === operation.key;
      return right ? [] : [{ promise: 'P4', message: `${describeOperation(operation)}: the object had another name` }];
    });
};

/** P1: a refusal is true at some moment of its request: exists already, is not there, is at another revision. */
export const refusalsAreTrue: Check = ({ history, log, time }) =>
  history.operations
    .filter(({ verb, outcome }) => writing.has(verb) && outcome === 'refused')
    .flatMap((operation) => {
      const from = time.atLeast(operation.call);
      const to = time.before(operation.return);
      const possible = canBeTrue(operation, log, from, to);
      if (possible === undefined || possible) return [];
      return [{ promise: 'P1', message: `${describeOperation(operation)}: false between revisions ${from} and ${to}` }];
    });

function canBeTrue(operation: Operation, log: Evidence['log'], from: number, to: number): boolean | undefined {
  const { key, reason, precondition, uid } = operation;
  const versions = function* () {
    yield log.at(key, from);
    for (let entry = log.next(key, from); entry && entry.revision < to; entry = log.next(key, entry.revision)) {
      yield entry.current;
    }
  };
  const some = (holds: (version: ReturnType<typeof log.at>) => boolean): boolean => [...versions()].some(holds);
  if (reason === 'AlreadyExists') return some((version) => version !== undefined);
  // A test of a JSON patch that fails.
  if (reason === 'Invalid') return some((version) => version?.mark !== operation.demandedMark);
  if (reason === 'NotFound') return some((version) => version === undefined);
  if (reason !== 'Conflict') return undefined;
  return some((version) => {
    if (!version) return true;
    return (precondition > 0 && version.revision !== precondition) || (uid !== '' && version.uid !== uid);
  });
}

/** The change that a write made, whether or not its client was told. */
function takenPlace(operation: Operation, { log }: Pick<Evidence, 'log'>): LogEntry | undefined {
  if (putting.has(operation.verb)) return log.byMark.get(operation.mark);
  if (operation.verb !== 'delete' || operation.outcome !== 'ok') return undefined;
  return log.deletions.get(operation.object?.uid ?? '');
}

function succeeded(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ verb, outcome }) => writing.has(verb) && outcome === 'ok');
}
