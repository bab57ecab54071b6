import type { Finding, Operation, Version } from '../history.ts';
import { type Check, type Evidence, describeOperation } from './check.ts';

/** P1: a value that was read at a revision is the one that was written at it. */
export const valuesAreThoseWritten: Check = ({ history, log }) => {
  const differs = (version: Version): boolean => !isSame(version, log.change(version.key, version.revision)?.current);
  return history.operations
    .filter(({ outcome, verb }) => outcome === 'ok' && (verb === 'get' || verb === 'list'))
    .flatMap((operation) => {
      const versions = operation.list?.items ?? (operation.object ? [operation.object] : []);
      return versions.filter(differs).map(({ key, revision }) => ({
        promise: 'P1',
        message: `${describeOperation(operation)}: ${key} at ${revision} is not what was written there`,
      }));
    });
};

/** P1, P16: a GET is explained by one revision inside its bounds. */
export const getsAreFresh: Check = ({ history, log, time }) =>
  history.operations
    .filter(({ verb, outcome, reason }) => verb === 'get' && (outcome === 'ok' || reason === 'NotFound'))
    .flatMap((operation) => {
      const { from, to } = bounds(operation, time);
      if (isThere(operation, log, from, to)) return [];
      const promise = operation.freshness.kind === 'latest' ? 'P1' : 'P16';
      return [{ promise, message: `${describeOperation(operation)}: impossible between revisions ${from} and ${to}` }];
    });

function isThere(operation: Operation, log: Evidence['log'], from: number, to: number): boolean {
  const { key, object } = operation;
  if (!object) return log.absences(key).some((span) => span.to > from && span.from < to);
  const next = log.next(key, object.revision);
  return object.revision < to && (next === undefined || next.revision > from);
}

/** P1, P16, P19: the revision of a list lies inside its bounds. */
export const listsAreFresh: Check = ({ history, time }) =>
  lists(history.operations).flatMap(([operation, revision]) => {
    const { from, to } = bounds(operation, time);
    const exact = operation.freshness.kind === 'exact' ? operation.freshness.revision : undefined;
    const right = exact === undefined ? revision >= from && revision < to : revision === exact;
    if (right) return [];
    const promise = operation.freshness.kind === 'latest' ? 'P1' : 'P16';
    return [
      {
        promise,
        message: `${describeOperation(operation)}: revision ${revision} is not in ${exact ?? `[${from}, ${to})`}`,
      },
    ];
  });

/** P1, P17: a list is exactly the state at its revision, all pages together. */
export const listsAreTheState: Check = ({ history, log }) =>
  lists(history.operations).flatMap(([operation, revision]) => {
    const expected = log.state(operation.scope, revision);
    const found = operation.list?.items ?? [];
    const same = expected.length === found.length && expected.every((version, i) => isSame(version, found[i]));
    if (same) return [];
    const promise = (operation.list?.revisions.length ?? 0) > 1 ? 'P17' : 'P1';
    const message = `${describeOperation(operation)} at ${revision}: ${names(found)} instead of ${names(expected)}`;
    return [{ promise, message }];
  });

/** P17: all pages of a list are of one revision, in order, and say how much remains. */
export const pagesAreOfOneSnapshot: Check = ({ history }) =>
  history.operations.flatMap((operation) => {
    const { list } = operation;
    if (!list) return [];
    const findings: Finding[] = [];
    if (new Set(list.revisions).size > 1) {
      findings.push({
        promise: 'P17',
        message: `${describeOperation(operation)}: pages of revisions ${list.revisions.join()}`,
      });
    }
    let behind = list.items.length;
    for (const [page, size] of list.pageSizes.entries()) {
      behind -= size;
      const said = list.remaining[page];
      if (said === undefined || said === behind || operation.scope.color !== '') continue;
      findings.push({
        promise: 'P17',
        message: `${describeOperation(operation)}: page ${page} says ${said} remain, ${behind} did`,
      });
    }
    return findings;
  });

/** P15, P17: 410 is said of history that was taken away, and of nothing else; an expired page comes with a token. */
export const expiryIsTrue: Check = ({ history }) =>
  history.operations
    .filter(({ status }) => status === 410)
    .flatMap((operation) => {
      const { freshness, expired } = operation;
      const revision = expired?.revision ?? (freshness.kind === 'exact' ? freshness.revision : 0);
      const findings: Finding[] = [];
      if (revision >= history.compactedTo) {
        const message = `${describeOperation(operation)}: ${revision} was not compacted (${history.compactedTo} was)`;
        findings.push({ promise: 'P15', message });
      }
      if (expired && !expired.token) {
        findings.push({ promise: 'P17', message: `${describeOperation(operation)}: no token to go on with` });
      }
      return findings;
    });

/** P16: a revision of the future is 504, with its cause, and never answered. */
export const futureIsRefused: Check = ({ history }) =>
  history.operations
    .filter(({ freshness, outcome }) => freshness.kind === 'tooNew' && outcome !== 'unknown')
    .filter(({ status, saysTooLarge }) => status !== 504 || !saysTooLarge)
    .map((operation) => ({
      promise: 'P16',
      message: `${describeOperation(operation)}: asked for a revision of the future`,
    }));

const expectedStatuses: ReadonlySet<number> = new Set([404, 409, 410]);

/** P30: nothing is refused or fails that should not. */
export const nothingElseFails: Check = ({ history }) =>
  history.operations
    .filter(({ outcome, status, freshness, saysTooLarge, demandedMark }) => {
      if (outcome === 'ok' || freshness.kind === 'tooNew' || expectedStatuses.has(status)) return false;
      // What a JSON patch demands may not be there; whether it was, another check finds out.
      if (status === 422 && demandedMark !== '') return false;
      // A cache that lags may say so after the wait that the API promises.
      return !(history.errorsExpected && (outcome === 'unknown' || status === 429 || saysTooLarge));
    })
    .map((operation) => ({ promise: 'P30', message: `${describeOperation(operation)}: unexpected` }));

function bounds(operation: Operation, time: Evidence['time']): { readonly from: number; readonly to: number } {
  const { freshness } = operation;
  const to = time.before(operation.return);
  if (freshness.kind === 'latest') return { from: time.atLeast(operation.call), to };
  return { from: freshness.kind === 'notOlderThan' ? freshness.revision : 0, to };
}

function lists(operations: readonly Operation[]): (readonly [Operation, number])[] {
  return operations.flatMap((operation) => {
    const revision = operation.list?.revisions[0];
    return operation.outcome === 'ok' && revision !== undefined ? [[operation, revision] as const] : [];
  });
}

function isSame(a: Version, b: Version | undefined): boolean {
  return b !== undefined && a.key === b.key && a.revision === b.revision && a.uid === b.uid && a.body === b.body;
}

function names(versions: readonly Version[]): string {
  return `[${versions.map(({ key, revision }) => `${key}@${revision}`).join(' ')}]`;
}
