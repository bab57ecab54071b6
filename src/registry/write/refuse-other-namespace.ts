import type { JsonObject } from '../../meta/json-value.ts';
import { namespaceOf } from '../../meta/object-meta.ts';
import { badRequest } from '../../status/status-error.ts';
import type { RequestScope } from '../definition/registry.ts';

/** Throws 400 if an object names another namespace than the request. */
export function refuseOtherNamespace({ namespace }: Pick<RequestScope, 'namespace'>, object: JsonObject): void {
  const found = namespaceOf(object);
  if (found === '' || found === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
