import type { JsonValue } from '../../meta/json-value.ts';

/** A compiled expression of the Common Expression Language (CEL). */
export interface Expression {
  readonly text: string;
  /** The fields that it reads directly from variables, such as `claims.email`. */
  readonly fields: ReadonlySet<string>;
  /** The type of the value in the notation of CEL: `bool`, or `dyn` if it is unknown. */
  readonly resultType: string;
  /**
   * Evaluates it with the values of its variables. Numbers are doubles. Throws ExpressionError if a
   * field is missing, if types do not match, or if it takes too many steps.
   */
  readonly evaluate: (values: Readonly<Record<string, JsonValue>>) => JsonValue;
}

/** An expression that is invalid, or has no value. The message contains no values of variables. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}
