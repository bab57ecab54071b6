import { readFile } from 'node:fs/promises';
import type { ConnectionSettings } from './connection-settings.ts';

/** A rotated token is used within this time. */
const tokenFileMs = 60_000;

/**
 * Returns a function that gives the Authorization header of a request: a token, a token that is
 * read from a file periodically, or a user name and password. Undefined without any.
 */
export function authorizationHeader(settings: ConnectionSettings): () => Promise<string | undefined> {
  const { token, tokenFile, username, password = '' } = settings;
  const basic = username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const fixed = token ? `Bearer ${token}` : basic;
  if (tokenFile === undefined) return () => Promise.resolve(fixed);
  let current = { text: '', readAtMs: -Infinity };
  return async () => {
    if (performance.now() - current.readAtMs > tokenFileMs) {
      current = { text: (await readFile(tokenFile, 'utf8')).trim(), readAtMs: performance.now() };
    }
    return current.text ? `Bearer ${current.text}` : undefined;
  };
}
