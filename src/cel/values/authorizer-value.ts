import type { MaybePromise } from '../../async/maybe-promise.ts';
import { authorizationTypes } from '../../identifiers/expression-types.ts';
import { Opaque } from './cel-value.ts';

/** A request whose authorization an expression checks. */
export interface AuthorizationCheck {
  readonly verb: string;
  /** The path of a non-resource request; the other resource fields are '' then. */
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** The service account whose authorization is checked, instead of the user's. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

/** The decision of an authorizer; `error` is '' if there is none. */
interface CheckDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error: string;
}

/** Decides an authorization check of an expression. */
type Authorize = (check: AuthorizationCheck) => MaybePromise<CheckDecision>;

/** Thrown by an evaluation that needs a pending decision. */
export class PendingDecision extends Error {
  override readonly name = 'PendingDecision';
  /** Resolves when the decision is available. Then the evaluation can run again. */
  readonly known: Promise<void>;

  constructor(known: Promise<void>) {
    super('the decision of an authorizer is not known yet');
    this.known = known;
  }
}

/**
 * The cached decisions about one request. Each check is made once; their number is limited by cost.
 */
class Decisions {
  readonly #authorize: Authorize;
  readonly #known = new Map<string, CheckDecision>();

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  /** Returns the decision of a check. Throws PendingDecision. */
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

/** The types of the steps that lead to a decision. */
type AuthorizationType = 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck';

/**
 * The value of an authorizer in expressions, or of a check that an expression builds from it. The
 * variable `authorizer` has an empty check. `authorizer.requestResource` has the type ResourceCheck
 * and is made by `with`.
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

  /** Returns the value with a further part of the check. */
  with(type: AuthorizationType, part: Partial<AuthorizationCheck>): AuthorizerValue {
    return new AuthorizerValue(this.decisions, type, { ...this.check, ...part });
  }
}
