/**
 * What a list must answer, from the table of the specification (4.6, list) and from reference promises B44 to B48; nothing here
 * looks at the implementation.
 */

/** How a resourceVersion is given: the columns of the table, the numbers told apart by where they lie. */
export const versions = ['unset', 'zero', 'past', 'current', 'future', 'huge', 'malformed'] as const;
export type Version = (typeof versions)[number];

export const matches = ['unset', 'Exact', 'NotOlderThan', 'Bogus'] as const;
export type Match = (typeof matches)[number];

export const limits = ['', '2'] as const;
export type Limit = (typeof limits)[number];

/** A token of a list at the past revision, or something that no server made. */
export const continues = ['none', 'token', 'junk'] as const;
export type Continue = (typeof continues)[number];

/** What a match is combined with. */
interface MatchCell {
  readonly version: string;
  readonly match: Match;
  readonly continue: Continue;
}

/** One cell of the table. */
export interface ListCell extends MatchCell {
  readonly version: Version;
  readonly limit: Limit;
}

/** The words of the table. */
type Semantic = 'most recent' | 'any' | 'not older than' | 'exact' | 'continue' | 'invalid' | 'bad request';

type MatchRow = readonly [unset: Semantic, zero: Semantic, number: Semantic];

const wholeOrFirst = (row: MatchRow): Record<'whole' | 'first', MatchRow> => ({ whole: row, first: row });
const invalid: MatchRow = ['invalid', 'invalid', 'invalid'];

const table: Readonly<Record<Match, Readonly<Record<'whole' | 'first' | 'next', MatchRow>>>> = {
  unset: {
    whole: ['most recent', 'any', 'not older than'],
    first: ['most recent', 'any', 'exact'],
    next: ['continue', 'continue', 'bad request'],
  },
  Exact: { ...wholeOrFirst(['invalid', 'invalid', 'exact']), next: invalid },
  NotOlderThan: { ...wholeOrFirst(['invalid', 'any', 'not older than']), next: invalid },
  Bogus: { ...wholeOrFirst(invalid), next: invalid },
};

/** What the answer must be. */
export type Expected =
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly messages: readonly RegExp[] }
  /** `past` and `current` are revisions of the world; without them any revision will do. */
  | { readonly kind: 'list'; readonly exactly?: 'past' | 'current'; readonly atLeast?: 'past' | 'current' };

/** The resourceVersion is beyond what the store has reached. */
const tooLarge: Expected = {
  kind: 'refused',
  status: 504,
  reason: 'Timeout',
  messages: [/^Timeout: Too large resource version/],
};

export const malformed: Expected = {
  kind: 'refused',
  status: 400,
  reason: 'BadRequest',
  messages: [/^resourceVersion: Invalid value: "abc": strconv\.ParseUint: parsing "abc": invalid syntax$/],
};

/** What a list in a cell must answer. */
export function expectedOfList(cell: ListCell): Expected {
  const paging = pagingOf(cell);
  const column = cell.version === 'unset' ? 0 : cell.version === 'zero' ? 1 : 2;
  const semantic = table[cell.match][paging][column];
  if (semantic === 'invalid')
    return { kind: 'refused', status: 422, reason: 'Invalid', messages: whyInvalidMatch(cell) };
  if (semantic === 'bad request') return withContinue;
  if (cell.version === 'malformed') return malformed;
  if (semantic === 'continue') return cell.continue === 'junk' ? junkToken : { kind: 'list', exactly: 'past' };
  if (semantic === 'any') return { kind: 'list' };
  if (semantic === 'most recent') return { kind: 'list', exactly: 'current' };
  if (cell.version !== 'past' && cell.version !== 'current') return tooLarge;
  return semantic === 'exact' ? { kind: 'list', exactly: cell.version } : { kind: 'list', atLeast: cell.version };
}

/** What a get must answer: unset is most recent, `0` any, a number not older than it. */
export function expectedOfGet(version: Version): Expected {
  if (version === 'malformed') return malformed;
  return expectedOfList({ version, match: 'unset', limit: '', continue: 'none' });
}

const withContinue: Expected = {
  kind: 'refused',
  status: 400,
  reason: 'BadRequest',
  messages: [/^specifying resource version is not allowed when using continue$/],
};

const junkToken: Expected = {
  kind: 'refused',
  status: 400,
  reason: 'BadRequest',
  messages: [/^continue key is not valid/],
};

function pagingOf(cell: ListCell): 'whole' | 'first' | 'next' {
  if (cell.continue !== 'none') return 'next';
  return cell.limit === '' ? 'whole' : 'first';
}

/** One message for each thing that is wrong with a match. */
export function whyInvalidMatch({ version, match, continue: token }: MatchCell): RegExp[] {
  const reasons: RegExp[] = [];
  if (version === 'unset') reasons.push(/resourceVersionMatch is forbidden unless resourceVersion is provided/);
  if (token !== 'none') reasons.push(/resourceVersionMatch is forbidden when continue is provided/);
  if (match === 'Bogus') reasons.push(/Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan"/);
  if (match === 'Exact' && version === 'zero') reasons.push(/"exact" is forbidden for resourceVersion "0"/);
  return reasons;
}
