import type { ResourceRequest } from '../definition/resource-request.ts';
import { StatusError } from '../../status/status-error.ts';

/**
 * Asks whether the user of a request may do something else to the object that it names than what
 * was asked before. Undefined if so, else the authorizer's reason. Throws 500 if no authorizer
 * could tell.
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
