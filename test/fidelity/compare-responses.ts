import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import type { ApiResponse } from './api-target.ts';
import { type Difference, differencesBetween } from './compare.ts';
import { textAt, valueAt, withoutPath } from './json-paths.ts';
import {
  bodyPlace,
  type Exchange,
  isStatus,
  type KnownDifference,
  type MetDifference,
  ownedField,
} from './known/known-difference.ts';
import { knownDifferences } from './known/known-differences.ts';
import { fieldsOfDifference, fieldsOfManagers } from './known/fields-of-difference.ts';
import { counted, normalise } from './normalise.ts';
import type { SequenceStep } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** What the comparison of two answers comes to. */
export interface Comparison {
  /** Differences that nothing explains. */
  readonly unexplained: readonly Difference[];
  /** The others, with the rows of docs/differences.md that explain them. */
  readonly known: readonly MetDifference[];
  /** One server wrote and the other did not: what follows cannot be compared. */
  readonly parted: boolean;
}

/** What a sequence has come to before a step. */
export interface Past {
  readonly met: readonly MetDifference[];
  readonly earlier: readonly Exchange[];
  readonly definition?: JsonValue | undefined;
  /** Compares the texts of errors as well. */
  readonly texts?: boolean;
}

/** Compares the answers of both servers to a step. */
export function compareResponses(
  step: SequenceStep,
  subject: Subject,
  { reference, ours }: { readonly reference: ApiResponse; readonly ours: ApiResponse },
  { met, earlier, definition, texts = false }: Past = { met: [], earlier: [] },
  known: readonly KnownDifference[] = knownDifferences,
): Comparison {
  const exchange: Exchange = { step, subject, reference, ours, earlier, definition };
  const [left = null, right = null] = [reference, ours].map((response) =>
    forgetful(normalise(response, step), exchange, known, texts),
  );
  const compared = { ...exchange, normalReference: left, normalOurs: right };
  const metBy = (difference: Difference): MetDifference | undefined => {
    const row = known.find((each) => explains(each, difference, compared, met))?.row;
    return row === undefined ? undefined : metDifference(row, difference, compared);
  };
  const differences = relevant(differencesBetween(left, right));
  const own = differences.map((difference) => explanation(difference, compared, metBy));
  const changed = [...met, ...own.flatMap((found) => found ?? [])];
  const rows = differences.map(
    (difference, index) => own[index] ?? generationOf(difference, changed) ?? wholeNodeOf(difference, own),
  );
  return {
    unexplained: differences.filter((_, index) => rows[index] === undefined),
    known: rows.flatMap((found) => found ?? []),
    parted: reference.status !== ours.status && step.method !== 'GET' && isWrite([reference, ours]),
  };
}

function metDifference(row: string, difference: Difference, exchange: Exchange): MetDifference {
  const isOwner = ownedField(difference) !== undefined;
  return { row, places: [...fieldsOfDifference(difference, exchange), ...fieldsOfManagers(difference)], isOwner };
}

/** Generations differ where one server has changed a spec. */
function generationOf(difference: Difference, changes: readonly MetDifference[]): readonly MetDifference[] | undefined {
  if (!bodyPlace(difference).endsWith('metadata/generation')) return undefined;
  const change = changes.find(({ places, isOwner }) => !isOwner && places.some(([first]) => first === 'spec'));
  return change && [{ ...change, places: [['metadata', 'generation']] }];
}

/** A refusal by one server alone is explained where each of its causes is. */
function explanation(
  difference: Difference,
  exchange: Exchange,
  metBy: (difference: Difference) => MetDifference | undefined,
): readonly MetDifference[] | undefined {
  const whole = metBy(difference);
  if (whole) return [whole];
  const causes = isStatus(difference) ? loneCauses(exchange) : [];
  const own = causes.map((cause) => {
    const found = metBy(cause);
    return found && [found];
  });
  const parts = causes.flatMap((cause, index) => own[index] ?? wholeNodeOf(cause, own) ?? []);
  return causes.length > 0 && parts.length >= causes.length ? parts : undefined;
}

/** A Node of which a field may not change is refused as a whole as well. */
function wholeNodeOf(
  difference: Difference,
  others: readonly (readonly MetDifference[] | undefined)[],
): readonly MetDifference[] | undefined {
  if (bodyPlace(difference) !== 'details/causes/[] FieldValueForbidden') return undefined;
  return others.find((found) => found?.some(({ places }) => places.some(([first]) => first === 'spec')));
}

/** The causes for which one server alone refuses a write, or refuses it first, as if both had refused it. */
function loneCauses({ step, reference, ours }: Exchange): readonly Difference[] {
  const refused = refusedFirst(reference, ours);
  if (!refused) return [];
  const none: JsonObject = { details: { causes: {} } };
  const causes: JsonObject = {
    details: { causes: valueAt(normalise(refused, step), ['body', 'details', 'causes']) ?? {} },
  };
  const [left, right] = refused === ours ? [none, causes] : [causes, none];
  return differencesBetween(left, right, ['body']);
}

/** The answer that refuses a write which the other takes, or refuses later: conflicts come before validation. */
function refusedFirst(reference: ApiResponse, ours: ApiResponse): ApiResponse | undefined {
  const [taken, refused] = reference.status < 300 ? [reference, ours] : [ours, reference];
  if (taken.status < 300) return refused.status === 422 || refused.status === 409 ? refused : undefined;
  if (taken.status === 422 && refused.status === 409) return refused;
  return taken.status === 409 && refused.status === 422 ? taken : undefined;
}

function explains(
  { row, matches, lasts }: KnownDifference,
  difference: Difference,
  exchange: Exchange,
  met: readonly MetDifference[],
): boolean {
  if (matches?.(difference, exchange)) return true;
  const ofRow = lasts ? met.filter((each) => each.row === row) : [];
  return ofRow.length > 0 && lasts?.(difference, exchange, ofRow) === true;
}

function isWrite(responses: readonly ApiResponse[]): boolean {
  return responses.some(({ status }) => status < 300);
}

/** Answers of different statuses have nothing else in common, and different causes have different texts. */
function relevant(differences: readonly Difference[]): readonly Difference[] {
  const status = differences.find(isStatus);
  if (status) return [status];
  const others = differences.filter((difference) => !bodyPlace(difference).startsWith('message/'));
  return others.length > 0 ? others : differences;
}

/** How often each text of a cause is there, without the values that it quotes. */
function textsOf(body: JsonValue): JsonObject {
  const message = textAt(body, ['message']).replace(/^.*? is invalid: /s, '');
  const texts = message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/Invalid value: (?:[[{].*?[\]}]|[^ ]*):? /g, 'Invalid value: ');
  return message === textAt(body, ['message'])
    ? {}
    : counted(texts.replace(/^\[|\]$/g, '').split(/, (?=[a-z][\w.]*(?:\[[^\]]*\][\w.]*)*: )/));
}

function forgetful(
  response: JsonObject,
  exchange: Exchange,
  known: readonly KnownDifference[],
  texts: boolean,
): JsonValue {
  if (exchange.step.anyBody && exchange.reference.status < 300) return { ...response, body: null };
  const body = known.reduce((left, { forget }) => forget?.(left, exchange) ?? left, response['body'] ?? null);
  const isError = isJsonObject(body) && body['kind'] === 'Status' && body['status'] === 'Failure';
  if (!isError) return { ...response, body };
  const untold = withoutPath(body, ['message']);
  return { ...response, body: texts && isJsonObject(untold) ? { ...untold, message: textsOf(body) } : untold };
}
