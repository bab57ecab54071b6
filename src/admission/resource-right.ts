import type { UserInfo } from '../meta/user-info.ts';

/** A right on a resource, which the authorizers of the server decide about. */
export interface ResourceRight {
  readonly user: UserInfo;
  readonly verb: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** The decision of the authorizers. Without an opinion the right is not allowed. */
export interface RightDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** The failures during the decision, safe to show; undefined if there are none. */
  readonly error?: string | undefined;
}

/** Asks the authorizers of the server. */
export type DecideRight = (right: ResourceRight) => Promise<RightDecision>;
