import type { Secret } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { KnownAccount } from './known-account.ts';
import { secretTokenVolume, type TokenVolume } from './token-volume.ts';

/** A Secret as far as it may have the token of an account. */
interface KnownSecret {
  readonly name: string;
  /** The account in the form `<namespace>/<name>/<uid>`; '' if it has no token. */
  readonly account: string;
}

/**
 * Returns a function that finds the volume for the first of an account's Secrets that has a token
 * of it. It throws ServerTimeout while there is none: a controller will add one.
 */
export function secretTokens(
  { labelDomain }: Identifiers,
  listerOf: ListerOf,
): (attributes: AdmissionAttributes, account: KnownAccount) => Promise<TokenVolume> {
  const read = ({ metadata, type }: Secret): KnownSecret => {
    const { name = '', namespace = '', annotations = {} } = metadata;
    const [account, uid] = ['name', 'uid'].map((part) => annotations[`${labelDomain}/service-account.${part}`] ?? '');
    const isToken = type === `${labelDomain}/service-account-token`;
    return { name, account: isToken ? `${namespace}/${account}/${uid}` : '' };
  };
  const secrets = listerOf({
    group: '',
    resource: 'secrets',
    read,
    indexes: { account: ({ account }) => (account === '' ? [] : [account]) },
  });
  return async ({ namespace, signal }, account) => {
    const tokens = await secrets.list({ by: ['account', `${namespace}/${account.name}/${account.uid}`] }, signal);
    const found = account.secrets.find((wanted) => tokens.some(({ name }) => name === wanted));
    if (found === undefined) throw noTokenYet(account);
    return secretTokenVolume(found);
  };
}

function noTokenYet({ name }: KnownAccount): StatusError {
  const hint = 'retry after the token is automatically created and added to the service account';
  return new StatusError('ServerTimeout', `No API token found for service account "${name}", ${hint}`, {
    details: { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
  });
}
