import type { DecideCheck } from '../../admission/expressions/request-inputs.ts';
import { andThen } from '../../async/maybe-promise.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { requestSelectors } from '../../authz/request-selectors.ts';
import { decideAccess } from '../../authz/decide-access.ts';

/**
 * Decides authorizer checks of expressions like requests of the user. With `withSelectors`
 * authorizers see the selectors of checks.
 */
export function checkDecider(authorizers: readonly Authorizer[], withSelectors: boolean): DecideCheck {
  return (user, check) => {
    const { verb, path, group, resource, subresource, namespace, name } = check;
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
      ...(withSelectors ? requestSelectors(check.fieldSelector, check.labelSelector) : {}),
    };
    return andThen(decideAccess(authorizers, attributes), ({ decision, reason, evaluationError }) => ({
      allowed: decision === 'allow',
      reason,
      error: evaluationError ?? '',
    }));
  };
}
