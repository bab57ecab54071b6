import type { UserInfo } from '../meta/user-info.ts';
import type { RequestSelectors } from './request-selectors.ts';
import type { UserRules } from './user-rules.ts';

/**
 * The attributes that authorizers examine (spec 5.10). Selectors are present if the feature
 * AuthorizeWithSelectors is on.
 */
export interface AuthorizationAttributes extends RequestSelectors {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The request path, for non-resource requests. */
  readonly path: string;
}

/**
 * The decision of an authorizer. The first allow or deny is final; without one the request is
 * denied (spec 5.10).
 */
export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  /**
   * The failures during the decision, safe to show. A request that is not allowed is then answered
   * with 500 instead of 403: the client may try again.
   */
  readonly evaluationError?: string;
}

/** An authorization mode. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> | AuthorizationDecision;
  /**
   * Explains its decision in more detail than the reason of the decision, for those who may read
   * its rules.
   */
  explain?(attributes: AuthorizationAttributes): Promise<string> | string;
  /** The authorizers that it stands for at present. Absent: only itself. */
  members?(): readonly Authorizer[];
  /** Lists the rules of a user in a namespace. Absent: it cannot list rules. */
  rulesFor?(user: UserInfo, namespace: string): Promise<UserRules> | UserRules;
}
