import type { ResourceRequest } from './resource-request.ts';
import { forbiddenObject, StatusError } from '../status/status-error.ts';

/**
 * Asks whether the user of a write may create the object that it names, because the object does not
 * exist: the same right as for a POST, with the name. Throws 403, or 500 if no authorizer could
 * tell. The right to write the object was asked before.
 */
export async function requireCreate({ resource, scope }: ResourceRequest): Promise<void> {
  const { isAllowed, reason, error } = await resource.decide({
    user: scope.user,
    verb: 'create',
    apiGroup: scope.group,
    apiVersion: scope.version,
    resource: resource.info.resource,
    subresource: scope.subresource,
    namespace: scope.namespace,
    name: scope.name,
  });
  if (isAllowed) return;
  if (error !== undefined) throw new StatusError('InternalError', `Internal error occurred: ${error}`);
  throw forbiddenObject(resource.subject, scope.name, reason);
}
