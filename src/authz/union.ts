import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts';

/**
 * Asks the authorizers in order. The first allow or deny is final; without one the request is denied, with the reasons of all
 * that were asked (spec 5.10). The answer is never `no-opinion`.
 */
export async function authorize(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): Promise<AuthorizationDecision> {
  const reasons: string[] = [];
  for (const authorizer of authorizers) {
    const answer = authorizer.authorize(attributes);
    const { decision, reason } = answer instanceof Promise ? await answer : answer;
    if (decision !== 'no-opinion') return { decision, reason };
    if (reason) reasons.push(reason);
  }
  return { decision: 'deny', reason: reasons.join(', ') };
}
