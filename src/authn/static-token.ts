import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from './authenticator.ts';
import type { TokenEntry } from './token-file.ts';
import type { UserInfo } from './user-info.ts';

/**
 * Bearer tokens known from the start (`--token-auth-file`, read by `parseTokenFile`). Tokens are kept and compared as
 * hashes, so that neither memory nor the time of an answer tells one.
 */
export function staticTokenAuthenticator(entries: readonly TokenEntry[]): Authenticator {
  const users = new Map<string, { readonly hash: Buffer; readonly user: UserInfo }>();
  for (const { token, user } of entries) {
    const hash = hashOf(token);
    users.set(hash.toString('base64'), { hash, user });
  }
  return {
    name: 'static-token',
    authenticate({ bearerToken }) {
      if (!bearerToken) return undefined;
      const hash = hashOf(bearerToken);
      const found = users.get(hash.toString('base64'));
      return found && timingSafeEqual(found.hash, hash) ? { user: found.user } : undefined;
    },
  };
}

function hashOf(token: string): Buffer {
  return digest('sha256', token, 'buffer');
}
