import { hash as digest } from 'node:crypto';
import type { Authenticator } from './authenticator.ts';
import type { TokenEntry } from './token-file.ts';
import type { UserInfo } from '../meta/user-info.ts';

/**
 * Authenticates bearer tokens of a fixed list (`--token-auth-file`, parsed by `parseTokenFile`).
 * Tokens are stored and looked up as hashes, so that neither memory nor response times reveal them.
 */
export function staticTokenAuthenticator(entries: readonly TokenEntry[]): Authenticator {
  const users = new Map<string, { readonly user: UserInfo }>();
  for (const { token, user } of entries) users.set(hashOf(token), { user });
  // Tokens of accounts and providers are longer, and hashing them would cost a microsecond. Lengths
  // are not secret.
  const lengths = new Set(entries.map(({ token }) => token.length));
  return {
    name: 'static-token',
    authenticate({ bearerToken }) {
      return bearerToken && lengths.has(bearerToken.length) ? users.get(hashOf(bearerToken)) : undefined;
    },
  };
}

function hashOf(token: string): string {
  return digest('sha256', token, 'base64');
}
