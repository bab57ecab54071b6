import { successStatus } from '../../codec/status-body.ts';
import { parseDeleteOptions } from '../options/parse-delete-options.ts';
import { readDeleteOptions } from '../body/read-delete-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject, respondStatus } from '../respond/respond-object.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/**
 * DELETE of an object. Responds with a Status if the object was removed at once; for a few kinds
 * with its last state instead. Responds with the object if finalizers or a grace period keep it.
 */
export async function deleteVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope, served } = call;
  const representation = representationOf(call);
  const body = await readDeleteOptions(call);
  const options = parseDeleteOptions(exchange.query, body, scope.identifiers.apiDomain);
  exchange.step('About to delete object from database');
  const answer = await registry.delete(scope, options);
  exchange.step('Object deleted from database');
  // As in kube-apiserver, a delete with the deprecated orphanDependents=false gets 202 if the
  // object still exists.
  const status = !answer.deleted && options.orphanDependents === false ? 202 : 200;
  if (!answer.deleted || answer.asObject) return respondObject(call, representation, status, answer.object);
  const { group, resource } = served.info;
  const details = { name: scope.name, ...(group ? { group } : {}), kind: resource, uid: answer.uid };
  return respondStatus(exchange, representation, 200, successStatus(details));
}
