import type { UserInfo } from '../meta/user-info.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';

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

/** Reports whether a user has a right on a signer. */
type MayUseSigner = (user: UserInfo, verb: string, signerName: string) => Promise<boolean>;

/**
 * Creates the check of rights on signers. They are given for one signer, or for all signers of its
 * domain: `example.com/*` (spec section 5).
 */
export function signerRights({ apiDomain }: Identifiers, decide: DecideRight): MayUseSigner {
  return async (user, verb, signerName) => {
    const right = {
      user,
      verb,
      apiGroup: `certificates.${apiDomain}`,
      apiVersion: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
    };
    const [domain = ''] = signerName.split('/');
    const ofSigner = await decide({ ...right, name: signerName });
    return ofSigner.isAllowed || (await decide({ ...right, name: `${domain}/*` })).isAllowed;
  };
}
