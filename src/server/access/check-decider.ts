import type { DecideCheck } from '../../admission/expressions/request-inputs.ts';
import { andThen } from '../../async/maybe-promise.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { authorize } from '../../authz/union.ts';

/** Decides the checks of expressions as the requests of the user would be decided. */
export function checkDecider(authorizers: readonly Authorizer[]): DecideCheck {
  return (user, { verb, path, group, resource, subresource, namespace, name }) => {
    const resourceRequest = path === '';
    const attributes = {
      user,
      verb,
      resourceRequest,
      apiGroup: group,
      apiVersion: resourceRequest ? '*' : '',
      resource,
      subresource,
      namespace,
      name,
      path,
    };
    return andThen(authorize(authorizers, attributes), ({ decision, reason, evaluationError }) => ({
      allowed: decision === 'allow',
      reason,
      error: evaluationError ?? '',
    }));
  };
}
