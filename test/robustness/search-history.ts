import { describeOperation } from './checks/check.ts';
import { coversKey, type Finding, type History, type Operation, type Version } from './history.ts';
import { type RegisterOperation, type RegisterState, searchOrder } from './register-search.ts';

/** What the search found out: keys for which there is no order, and how many it gave up. */
export interface HistorySearch {
  readonly findings: readonly Finding[];
  readonly undecided: number;
}

type RegisterStep = RegisterOperation['step'];

/**
 * P1 once more, without the log: for each key, whether there is any order of all that clients did and saw, lists included, that
 * explains their answers. Operations on different keys need no common order for that (linearizability is local).
 */
export function searchHistory({ operations }: Pick<History, 'operations'>): HistorySearch {
  const seenAt = firstSights(operations);
  const keys = new Set(operations.map(({ key }) => key).filter((key) => key !== ''));
  const findings: Finding[] = [];
  let undecided = 0;
  for (const key of keys) {
    const result = searchOrder(operations.flatMap((operation) => onKey(operation, key, seenAt) ?? []));
    if (result.kind === 'undecided') undecided++;
    if (result.kind === 'impossible')
      findings.push({ promise: 'P1', message: `no order for ${key}: ${result.stuckAt}` });
  }
  return { findings, undecided };
}

/** A version as somebody saw it first. */
interface Sight {
  readonly at: number;
  readonly version: Version;
}

/** When each mark was seen first, which is how a write of unknown outcome is found out to have taken place. */
function firstSights(operations: readonly Operation[]): ReadonlyMap<string, Sight> {
  const sights = new Map<string, Sight>();
  for (const operation of operations.toSorted((a, b) => a.return - b.return)) {
    // The answer to a deletion names an object and no state.
    if (operation.verb === 'delete') continue;
    for (const version of operation.list?.items ?? (operation.object ? [operation.object] : [])) {
      if (!sights.has(version.mark)) sights.set(version.mark, { at: operation.return, version });
    }
  }
  return sights;
}

/** An operation as this key sees it; undefined where it says nothing of the key. */
function onKey(operation: Operation, key: string, seenAt: ReadonlyMap<string, Sight>): RegisterOperation | undefined {
  // Nobody listened: it was never sent.
  if (operation.reason === 'ECONNREFUSED') return undefined;
  const step = operation.list
    ? listStep(operation, key)
    : operation.key === key
      ? stepOf(operation, seenAt)
      : undefined;
  if (!step) return undefined;
  const { call, outcome, mark } = operation;
  const unknown = outcome === 'unknown';
  const seen = unknown ? seenAt.get(mark)?.at : undefined;
  const end = unknown ? (seen ?? Number.POSITIVE_INFINITY) : operation.return;
  return {
    call,
    return: end,
    optional: unknown && seen === undefined,
    step,
    description: describeOperation(operation),
  };
}

/** The mark of the writes that end a run, which are in no history. */
const unrecordedMark = 'last';

function listStep({ freshness, scope, list }: Operation, key: string): RegisterStep | undefined {
  if (freshness.kind !== 'latest' || scope.color !== '' || !coversKey(scope, key)) return undefined;
  const version = list?.items.find((item) => item.key === key);
  return version?.mark === unrecordedMark ? undefined : reads(version);
}

function reads(version: Version | undefined): RegisterStep {
  const mark = version?.mark ?? '';
  return (state) => (state.mark === mark ? state : undefined);
}

function stepOf(operation: Operation, seenAt: ReadonlyMap<string, Sight>): RegisterStep | undefined {
  const { verb, outcome, freshness, object } = operation;
  if (outcome === 'refused') return refusal(operation);
  if (verb === 'get') return outcome === 'ok' && freshness.kind === 'latest' ? reads(object) : undefined;
  if (verb === 'delete') return deletion(operation);
  if (verb === 'list' || verb === 'dryRun') return undefined;
  return writing(operation, object ?? seenAt.get(operation.mark)?.version);
}

/** A refusal tells something of the state and leaves it; one of the store's conflicts tells nothing. */
function refusal({ verb, reason, precondition, uid, demandedMark, freshness }: Operation): RegisterStep | undefined {
  if (verb === 'dryRun' || verb === 'list' || (verb === 'get' && freshness.kind !== 'latest')) return undefined;
  if (reason === 'NotFound') return (state) => (state.mark === '' ? state : undefined);
  if (reason === 'AlreadyExists') return (state) => (state.mark === '' ? undefined : state);
  if (reason === 'Invalid') return (state) => (state.mark === demandedMark ? undefined : state);
  if (reason !== 'Conflict' || (precondition === 0 && uid === '')) return undefined;
  return (state) => {
    const isUnknown = (precondition !== 0 && state.revision === 0) || (uid !== '' && state.uid === '');
    return state.mark !== '' && !isUnknown && suits(state, precondition, uid) ? undefined : state;
  };
}

/** Whether a state may be the one that a write demands. */
function suits({ revision, uid }: RegisterState, precondition: number, demandedUid: string): boolean {
  const isRevision = precondition === 0 || revision === 0 || revision === precondition;
  return isRevision && (demandedUid === '' || uid === '' || uid === demandedUid);
}

function deletion({ precondition, uid, object }: Operation): RegisterStep {
  return (state) => {
    const right = state.mark !== '' && suits(state, precondition, uid) && suits(state, 0, object?.uid ?? '');
    return right ? { mark: '', uid: '', revision: 0, floor: state.floor } : undefined;
  };
}

function writing({ verb, mark, precondition, demandedMark }: Operation, made: Version | undefined): RegisterStep {
  return (state) => {
    const { uid, floor } = state;
    const isThere = state.mark !== '';
    if (verb === 'create' ? isThere : verb !== 'apply' && !isThere) return undefined;
    if (!suits(state, precondition, '') || (demandedMark !== '' && state.mark !== demandedMark)) return undefined;
    if (made === undefined) return { mark, uid: isThere ? uid : '', revision: 0, floor };
    const right = made.revision > floor && (!isThere || suits(state, 0, made.uid));
    return right ? { mark, uid: made.uid, revision: made.revision, floor: made.revision } : undefined;
  };
}
