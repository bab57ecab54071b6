import { hasReason } from '../client/status-error.ts';

/** True if an object was refused because its namespace is being deleted, or is gone. */
export function isTerminating(error: unknown): boolean {
  if (!hasReason(error, 'Forbidden')) return hasReason(error, 'NotFound');
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

/** True if a creation failed because its namespace is being deleted. */
export function isTerminatingNamespace(error: unknown): boolean {
  if (!hasReason(error, 'Forbidden')) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
