import type { MaybePromise } from '../../async/maybe-promise.ts';
import { authorizationTypes } from '../../identifiers/expression-types.ts';
import { Opaque } from './cel-value.ts';

/** The request that an expression asks an authorizer about. */
export interface AuthorizationCheck {
  readonly verb: string;
  /** Set for a request without a resource; the other fields are '' then. */
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** The account that makes the request instead of the user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

/** The answer of an authorizer; `error` is '' without one. */
interface CheckDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error: string;
}

/** Decides a request that an expression asks about. */
type Authorize = (check: AuthorizationCheck) => MaybePromise<CheckDecision>;

/** Thrown by an evaluation that needs a decision which is not known yet. */
export class PendingDecision extends Error {
  override readonly name = 'PendingDecision';
  /** Resolves when the decision is known. The evaluation can run again then. */
  readonly known: Promise<void>;

  constructor(known: Promise<void>) {
    super('the decision of an authorizer is not known yet');
    this.known = known;
  }
}

/**
 * The decisions of an authorizer about the checks of one request. Each check is asked once. Checks
 * are limited by their cost.
 */
class Decisions {
  readonly #authorize: Authorize;
  readonly #known = new Map<string, CheckDecision>();

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  /** The decision of a check. Throws PendingDecision. */
  decide(check: AuthorizationCheck): CheckDecision {
    const key = JSON.stringify(check);
    const known = this.#known.get(key);
    if (known) return known;
    const decision = this.#authorize(check);
    if (decision instanceof Promise) {
      throw new PendingDecision(decision.then((value) => void this.#known.set(key, value)));
    }
    this.#known.set(key, decision);
    return decision;
  }
}

const noCheck: AuthorizationCheck = Object.freeze({
  verb: '',
  path: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
});

/** The types of the values that lead to a decision. */
type AuthorizationType = 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck';

/**
 * An authorizer in expressions, or a request that they build from one. The variable `authorizer` is
 * one without a check, made from the function that decides. `authorizer.requestResource` is one of
 * type ResourceCheck, which `with` makes of it.
 */
export class AuthorizerValue extends Opaque {
  readonly decisions: Decisions;
  readonly check: AuthorizationCheck;

  constructor(
    source: Authorize | Decisions,
    type: AuthorizationType = 'Authorizer',
    check: Partial<AuthorizationCheck> = {},
  ) {
    super(`${authorizationTypes}${type}`, '', undefined);
    this.decisions = source instanceof Decisions ? source : new Decisions(source);
    this.check = { ...noCheck, ...check };
  }

  /** The same authorizer with a part of a request. */
  with(type: AuthorizationType, part: Partial<AuthorizationCheck>): AuthorizerValue {
    return new AuthorizerValue(this.decisions, type, { ...this.check, ...part });
  }
}
