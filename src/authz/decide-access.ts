import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts';

/** The reasons and errors of the authorizers without an opinion. */
interface Objections {
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

const none: Objections = Object.freeze({ reasons: [], errors: [] });

/**
 * Asks the authorizers in order. The first allow or deny is final. Without one there is no
 * opinion, which denies the request (spec 5.10), with all reasons and errors. Synchronous if all
 * authorizers are, because a promise would delay each request.
 */
export function decideAccess(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): AuthorizationDecision | Promise<AuthorizationDecision> {
  return ask(authorizers, attributes, 0, none);
}

function ask(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
  from: number,
  before: Objections,
): AuthorizationDecision | Promise<AuthorizationDecision> {
  let objections = before;
  for (let index = from; index < authorizers.length; index++) {
    const answer = authorizers[index]?.authorize(attributes);
    if (answer instanceof Promise) {
      return answer.then((decision) =>
        decision.decision === 'no-opinion'
          ? ask(authorizers, attributes, index + 1, withAnswer(objections, decision))
          : withErrors(decision, objections.errors),
      );
    }
    if (!answer) continue;
    if (answer.decision !== 'no-opinion') return withErrors(answer, objections.errors);
    objections = withAnswer(objections, answer);
  }
  return withErrors({ decision: 'no-opinion', reason: objections.reasons.join('\n') }, objections.errors);
}

function withAnswer(
  { reasons, errors }: Objections,
  { reason, evaluationError = '' }: AuthorizationDecision,
): Objections {
  return {
    reasons: reason === '' ? reasons : [...reasons, reason],
    errors: evaluationError === '' ? errors : [...errors, evaluationError],
  };
}

/** Adds the errors of earlier authorizers to a decision. */
function withErrors(decision: AuthorizationDecision, errors: readonly string[]): AuthorizationDecision {
  if (errors.length === 0) return decision;
  const own = decision.evaluationError === undefined ? [] : [decision.evaluationError];
  return { ...decision, evaluationError: inBrackets([...errors, ...own]) };
}

/** Joins errors as Go joins several ones: one alone, others in brackets. */
export function inBrackets(errors: readonly string[]): string {
  return errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? '');
}
