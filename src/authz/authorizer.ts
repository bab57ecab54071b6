import type { UserInfo } from '../meta/user-info.ts';

/** The attributes that authorization examines (spec 5.10). */
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

/** The first allow or deny is final; if all have no opinion the request is denied (spec 5.10). */
export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

/** One module per file. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> | AuthorizationDecision;
}
