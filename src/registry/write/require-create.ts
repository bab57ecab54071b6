import type { ResourceRequest } from '../definition/resource-request.ts';
import { forbiddenObject } from '../../status/status-error.ts';
import { refusalOf } from './refusal-of.ts';

/**
 * Asks whether the user of a write may create the object that it names, because the object does not
 * exist: the same right as for a POST, with the name. Throws 403, or 500 if no authorizer could
 * tell. The right to write the object was asked before.
 */
export async function requireCreate(request: ResourceRequest): Promise<void> {
  const reason = await refusalOf(request, 'create');
  if (reason !== undefined) throw forbiddenObject(request.resource.subject, request.scope.name, reason);
}
