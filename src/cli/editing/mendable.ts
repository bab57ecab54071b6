import { hasReason } from '../../client/error-of-response.ts';
import { CliError, errorLine } from '../cli-error.ts';
import type { Refusal } from './edit-objects.ts';

/** Refusals of what an object has, which another edit may mend. */
const reasons = ['Invalid', 'BadRequest', 'Forbidden', 'RequestEntityTooLarge', 'AlreadyExists', 'MethodNotAllowed'];

/** The refusal of an object as the editor shows it; undefined if another edit cannot mend it. */
export function mendable(error: unknown, object: string): Refusal | undefined {
  if (error instanceof CliError) return { problem: errorLine(error).replace(/^error: /, '') };
  if (!hasReason(error, ...reasons)) return undefined;
  const causes = error.status.details?.causes ?? [];
  if (error.reason === 'Invalid' && causes.length > 0) {
    const lines = causes.map(({ field = '', message = '' }) => `${field}: ${message}`);
    return { problem: `${object} is invalid`, causes: lines };
  }
  return { problem: `${object} was refused: ${error.message}` };
}
