import type { Secret, ServiceAccount } from '../../gen/types/core-v1.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { generateName } from '../../meta/random-suffix.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import { type SecretContent, tokenData } from './reconcile-secret.ts';
import type { TokenSecrets } from './token-secret.ts';

/** The calls of `reconcileAccount`. */
interface AccountCalls extends SecretContent {
  readonly names: TokenSecrets;
  /** Reports whether a Secret of this name is for a token of the account. */
  readonly isToken: (name: string) => Promise<boolean>;
  /** Reports whether a Secret of this name, with a token of the account, was deleted. */
  readonly isDeleted: (name: string) => boolean;
  readonly create: (secret: Secret) => Promise<Secret>;
  readonly remove: (secret: Secret) => Promise<void>;
  readonly update: (account: ServiceAccount) => Promise<unknown>;
}

/**
 * Gives an account that names no Secret with a token of its own a new one, and removes the names of
 * such Secrets that were deleted. Clients read the token as soon as the account names the Secret,
 * so it is created with it.
 */
export async function reconcileAccount(account: ServiceAccount, calls: AccountCalls): Promise<void> {
  const { namespace, name = '' } = account.metadata ?? {};
  const { secrets = [] } = account;
  const kept: typeof secrets = [];
  let hasToken = false;
  for (const reference of secrets) {
    const isToken = await calls.isToken(reference.name ?? '');
    hasToken ||= isToken;
    if (isToken || !calls.isDeleted(reference.name ?? '')) kept.push(reference);
  }
  if (hasToken && kept.length === secrets.length) return;
  if (hasToken) return void (await calls.update({ ...account, secrets: kept }));
  const metadata = { name: generateName(`${name}-token-`), namespace, annotations: calls.names.annotations(account) };
  try {
    const empty = { apiVersion: 'v1', kind: 'Secret', metadata, type: calls.names.type };
    const created = await calls.create({ ...empty, data: await tokenData(empty, account, calls) });
    await refer(account, [...kept, { name: created.metadata?.name }], created, calls);
  } catch (error) {
    if (!hasReason(error, 'NotFound') && !isTerminatingNamespace(error)) throw error;
  }
}

/** Without a reference the Secret is useless, so it is removed if the account has changed. */
async function refer(
  account: ServiceAccount,
  secrets: ServiceAccount['secrets'],
  created: Secret,
  { update, remove }: AccountCalls,
): Promise<void> {
  try {
    await update({ ...account, secrets });
  } catch (error) {
    await remove(created);
    if (!hasReason(error, 'NotFound')) throw error;
  }
}
