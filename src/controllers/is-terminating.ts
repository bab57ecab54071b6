import { hasReason } from '../client/error-of-response.ts';

/** True if a creation failed because its namespace is being deleted. */
export function isTerminatingNamespace(error: unknown): boolean {
  if (!hasReason(error, 'Forbidden')) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

/** Awaits a write that is needless if the object exists by now, or if its namespace ends. */
export async function writeIfActive(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists', 'NotFound') && !isTerminatingNamespace(error)) throw error;
  }
}
