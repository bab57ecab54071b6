/**
 * A value in a document has the wrong type for its field, or lies out of its range. The message says what, where and
 * what was expected, and is shown to the client as part of a 400.
 */
export class DecodeError extends Error {
  /** Path of the refused value: `spec.containers[0].ports`. */
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.name = 'DecodeError';
    this.path = path;
  }
}
