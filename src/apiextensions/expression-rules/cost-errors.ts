import { type FieldError, forbidden } from '../../status/field-error.ts';

/** The estimated cost of an expression, for all values of an object. */
export interface ExpressionCost {
  /** The full name of the extension that it is in. */
  readonly extension: string;
  readonly path: string;
  readonly cost: number;
}

/** The cost that all expressions of a schema may have together. */
export const totalLimit = 100_000_000;

/** The most expressions that are named, and the least cost of one. */
const named = { most: 4, least: totalLimit / 100 };

/** The errors of a schema whose expressions cost too much together. */
export function costErrors(path: string, costs: readonly ExpressionCost[], total: number): readonly FieldError[] {
  const what = `${costs[0]?.extension ?? ''} estimated rule cost total for entire OpenAPIv3 schema`;
  const expensive = costs.filter(({ cost }) => cost >= named.least).toSorted((a, b) => b.cost - a.cost);
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  return [
    ...expensive.slice(0, named.most).map((one) => forbidden(one.path, why)),
    forbidden(path, costMessage(what, total, totalLimit)),
  ];
}

/** The message about a cost above its limit. */
export function costMessage(what: string, cost: number, limit: number): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor(cost / limit)} (${advice})`;
}

function factor(value: number): string {
  if (value > 100) return 'more than 100x';
  return `${value.toFixed(value < 1.5 ? 6 : 1)}x`;
}
