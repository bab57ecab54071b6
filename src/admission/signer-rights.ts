import type { Identifiers } from '../identifiers/identifiers.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { DecideRight } from './resource-right.ts';

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
