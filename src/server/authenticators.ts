import type { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Authenticator } from '../authn/authenticator.ts';
import { clientCertificateAuthenticator } from '../authn/client-certificate.ts';
import { staticTokenAuthenticator } from '../authn/static-token.ts';
import { parseTokenFile, type TokenEntry } from '../authn/token-file.ts';
import type { ServerOptions } from './server-options.ts';

async function tokensOf(options: ServerOptions): Promise<TokenEntry[]> {
  const given = options.tokens.map(({ token, username, groups }) => ({
    token,
    user: { username, uid: '', groups, extra: {} },
  }));
  if (options.tokenAuthFile === undefined) return given;
  const file = options.tokenAuthFile;
  try {
    return [...given, ...parseTokenFile(await readFile(file, 'utf8'))];
  } catch (cause) {
    throw new Error(`--token-auth-file ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * The enabled authenticators in order. `clientRoots` returns the current roots of the client CA;
 * undefined: client certificates identify nobody.
 */
export async function authenticatorsOf(
  options: ServerOptions,
  clientRoots: (() => readonly X509Certificate[]) | undefined,
): Promise<Authenticator[]> {
  const tokens = await tokensOf(options);
  return [
    ...(clientRoots ? [clientCertificateAuthenticator({ roots: clientRoots })] : []),
    ...(tokens.length === 0 ? [] : [staticTokenAuthenticator(tokens)]),
  ];
}
