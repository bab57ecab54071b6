import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts';

/**
 * Asks the authorizers in order. The first allow or deny is final; without one the request is
 * denied with all reasons (spec 5.10). The decision is never `no-opinion`. Synchronous if all
 * authorizers are, because a promise would delay each request.
 */
export function authorize(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): AuthorizationDecision | Promise<AuthorizationDecision> {
  return ask(authorizers, attributes, 0, []);
}

function ask(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
  from: number,
  reasons: readonly string[],
): AuthorizationDecision | Promise<AuthorizationDecision> {
  let allReasons = reasons;
  for (let index = from; index < authorizers.length; index++) {
    const answer = authorizers[index]?.authorize(attributes);
    if (answer instanceof Promise) {
      return answer.then((decision) =>
        decision.decision === 'no-opinion'
          ? ask(authorizers, attributes, index + 1, withReason(allReasons, decision.reason))
          : decision,
      );
    }
    if (!answer) continue;
    if (answer.decision !== 'no-opinion') return answer;
    allReasons = withReason(allReasons, answer.reason);
  }
  return { decision: 'deny', reason: allReasons.join('; ') };
}

function withReason(reasons: readonly string[], reason: string): readonly string[] {
  return reason ? [...reasons, reason] : reasons;
}
