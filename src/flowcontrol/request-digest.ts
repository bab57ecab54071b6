import type { UserInfo } from '../meta/user-info.ts';

/** The facts about a request that flow schemas examine. */
export interface RequestDigest {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for a request outside the API, which has a path only. */
  readonly resourceRequest: boolean;
  readonly apiGroup: string;
  /** The resource, with its sub-resource after a slash. */
  readonly resource: string;
  /** '' at the cluster scope. */
  readonly namespace: string;
  readonly path: string;
}
