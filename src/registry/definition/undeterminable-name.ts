import { badRequest, type StatusError } from '../../status/status-error.ts';

/** Returns the 400 for an object without a name in a request whose URL has one. */
export function undeterminableName(name: string): StatusError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}
