import { hasReason } from '../../client/status-error.ts';

/** True if a creation failed because its namespace is being deleted. */
export function isTerminatingNamespace(error: unknown): boolean {
  if (!hasReason(error, 'Forbidden')) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
