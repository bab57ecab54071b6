import type { JsonValue } from '../meta/json-value.ts';

/** What is wrong with a value, for those who say it in other words. */
export interface Refusal {
  /** Path of the refused value: `spec.containers[0].ports`. */
  readonly path: string;
  readonly value: JsonValue;
  /** What the place takes: `struct`, `map`, `list`, or the type of a scalar. */
  readonly wanted: string;
  /** Why a text of the right type is refused; undefined for a value of another type. */
  readonly problem: string | undefined;
}

/**
 * A value in a document has the wrong type for its field, or lies out of its range. The message says what, where and
 * what was expected, and is shown to the client as part of a 400.
 */
export class DecodeError extends Error {
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.name = 'DecodeError';
    this.refusal = refusal;
  }

  /** Path of the refused value. */
  get path(): string {
    return this.refusal.path;
  }
}
