/** A change that cannot be made; the failure policy decides about the request. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}
