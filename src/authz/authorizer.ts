import type { UserInfo } from '../meta/user-info.ts';

/** The attributes that authorizers examine (spec 5.10). */
export interface AuthorizationAttributes {
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
}

/** An authorization mode. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> | AuthorizationDecision;
}
