import type { ResourceRequest } from '../definition/stored-resource.ts';
import { StatusError, forbiddenObject } from '../../status/status-error.ts';

/**
 * Asks whether the user of a request may use another verb on the object that it names. Undefined if
 * so, else the authorizer's reason. Throws 500 if no authorizer could decide.
 */
export async function refusalOf({ resource, scope }: ResourceRequest, verb: string): Promise<string | undefined> {
  const { isAllowed, reason, error } = await resource.decide({
    user: scope.user,
    verb,
    apiGroup: scope.group,
    apiVersion: scope.version,
    resource: resource.info.resource,
    subresource: scope.subresource,
    namespace: scope.namespace,
    name: scope.name,
  });
  if (isAllowed) return undefined;
  if (error !== undefined) throw new StatusError('InternalError', `Internal error occurred: ${error}`);
  return reason;
}

/**
 * Asks whether the user of a write may create the object that it names, because the object does not
 * exist: the same right as for a POST, with the name. Throws 403, or 500 if no authorizer could
 * tell. The right to write the object was asked before.
 */
export async function requireCreate(request: ResourceRequest): Promise<void> {
  const reason = await refusalOf(request, 'create');
  if (reason !== undefined) throw forbiddenObject(request.resource.subject, request.scope.name, reason);
}
