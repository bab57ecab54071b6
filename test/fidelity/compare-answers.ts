import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import type { Answer } from './api-target.ts';
import { type Difference, differencesBetween } from './compare.ts';
import { withoutPath } from './json-paths.ts';
import type { Exchange, KnownDifference } from './known/known-difference.ts';
import { knownDifferences } from './known/known-differences.ts';
import { normalise } from './normalise.ts';
import type { Step } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** What the comparison of two answers comes to. */
export interface Comparison {
  /** Differences that nothing explains. */
  readonly unexplained: readonly Difference[];
  /** Rows of docs/differences.md that explain others. */
  readonly known: readonly string[];
  /** One server wrote and the other did not: what follows cannot be compared. */
  readonly parted: boolean;
}

/** Compares the answers of both servers to a step. `met` are the rows that explained something in earlier ones. */
export function compareAnswers(
  step: Step,
  subject: Subject,
  { reference, ours }: { readonly reference: Answer; readonly ours: Answer },
  met: ReadonlySet<string> = new Set(),
  known: readonly KnownDifference[] = knownDifferences,
): Comparison {
  const exchange: Exchange = { step, subject, reference, ours };
  const [left = null, right = null] = [reference, ours].map((answer) =>
    forgetful(normalise(answer, step), exchange, known),
  );
  const differences = relevant(differencesBetween(left, right));
  const compared = { ...exchange, normalOurs: right };
  const explains = (difference: Difference, { row, matches, lasts }: KnownDifference): boolean =>
    matches?.(difference, compared) === true || (met.has(row) && lasts?.(difference, compared) === true);
  const rows = differences.map((difference) => known.find((each) => explains(difference, each))?.row);
  return {
    unexplained: differences.filter((_, index) => rows[index] === undefined),
    known: [...new Set(rows.filter((row) => row !== undefined))],
    parted: reference.status !== ours.status && step.method !== 'GET' && isWrite([reference, ours]),
  };
}

function isWrite(answers: readonly Answer[]): boolean {
  return answers.some(({ status }) => status < 300);
}

/** Answers of different statuses have nothing else in common. Texts of errors are no part of the API. */
function relevant(differences: readonly Difference[]): readonly Difference[] {
  const status = differences.find(({ path }) => path.length === 1 && path[0] === 'status');
  return status ? [status] : differences;
}

function forgetful(answer: JsonObject, exchange: Exchange, known: readonly KnownDifference[]): JsonValue {
  const body = known.reduce((left, { forget }) => forget?.(left, exchange) ?? left, answer['body'] ?? null);
  const isError = isJsonObject(body) && body['kind'] === 'Status' && body['status'] === 'Failure';
  return { ...answer, body: isError ? withoutPath(body, ['message']) : body };
}
