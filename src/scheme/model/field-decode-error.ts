import type { JsonValue } from '../../meta/json-value.ts';

/** The details of a decode error, for other messages. */
export interface Refusal {
  /** Path of the refused value: `spec.containers[0].ports`. */
  readonly path: string;
  readonly value: JsonValue;
  /** The expected type: `struct`, `map`, `list` or a scalar type. */
  readonly wanted: string;
  /** The error in a string of the right type; undefined for a value of the wrong type. */
  readonly problem: string | undefined;
}

/**
 * A value in a document has the wrong type for its field or is out of range. The message names
 * value, path and expected type; the client gets it in a 400.
 */
export class FieldDecodeError extends Error {
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.name = 'FieldDecodeError';
    this.refusal = refusal;
  }

  /** Path of the refused value. */
  get path(): string {
    return this.refusal.path;
  }
}
