/** Thrown when a mutation cannot be applied. The failure policy decides about the request. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}
