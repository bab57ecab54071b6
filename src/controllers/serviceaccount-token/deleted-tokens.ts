import { objectKey } from '../../client/informers/indexer.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { Secret, ServiceAccount } from '../../gen/types/core-v1.ts';
import type { TokenSecrets } from './token-secret.ts';

/** The Secrets with tokens and the accounts, and how they belong together. */
interface FollowedTokens {
  readonly tokens: Informer<Secret>;
  readonly accounts: Informer<ServiceAccount>;
  readonly names: TokenSecrets;
}

/**
 * Returns a function that reports whether a Secret with a token of an account was deleted while the
 * account existed, since the start. Accounts may name Secrets that do not exist yet, so that one is
 * absent says nothing.
 */
export function followDeletedTokens(
  { tokens, accounts, names }: FollowedTokens,
  signal: AbortSignal,
): (account: ServiceAccount, secret: string) => boolean {
  const deleted = new Map<string, Set<string>>();
  const ownerKey = ({ metadata }: Secret): string => objectKey(names.accountOf(metadata), metadata?.namespace);
  tokens.subscribe(
    {
      add: (secret) => deleted.get(ownerKey(secret))?.delete(secret.metadata?.name ?? ''),
      delete(secret) {
        const { metadata } = secret;
        // The Secrets of a deleted account are deleted after it.
        if (accounts.hasSynced && !accounts.get(names.accountOf(metadata), metadata?.namespace)) return;
        const key = ownerKey(secret);
        deleted.set(key, (deleted.get(key) ?? new Set()).add(metadata?.name ?? ''));
      },
    },
    signal,
  );
  accounts.subscribe({ delete: (account) => deleted.delete(accountKey(account)) }, signal);
  return (account, secret) => deleted.get(accountKey(account))?.has(secret) ?? false;
}

function accountKey({ metadata }: ServiceAccount): string {
  return objectKey(metadata?.name ?? '', metadata?.namespace);
}
