import { StatusError } from '../status/status-error.ts';

/** A 500 error with the message of kube-apiserver; `why` is also the first cause. */
export function internalError(why: string, cause?: unknown): StatusError {
  const details = { causes: [{ message: why }] };
  return new StatusError('InternalError', `Internal error occurred: ${why}`, { details, cause });
}
