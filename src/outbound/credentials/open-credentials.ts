import type { ConnectionSettings } from '../config/connection-settings.ts';
import {
  bearer,
  type Credentials,
  type CredentialSource,
  fixedCredentials,
  CredentialError,
} from '../config/credential-source.ts';
import { execCredentials } from './exec-credentials.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import { readFile } from 'node:fs/promises';
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A rotated certificate is used within this time. */
const certificateFileMs = 60_000;

type Certificate = Pick<Credentials, 'cert' | 'key'>;

/**
 * Adds the client certificate and key in two files to the credentials of a source. The files are
 * read again periodically and after a 401.
 */
function certificateFileCredentials(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  source: CredentialSource,
): CredentialSource {
  let current: { readonly certificate: Certificate; readonly readAtMs: number } | undefined;

  async function read(): Promise<Certificate> {
    try {
      const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
      // One of the files may have been replaced already, and the other not yet.
      if (current && !isPair(cert, key)) return current.certificate;
      current = { certificate: { cert, key }, readAtMs: performance.now() };
      return current.certificate;
    } catch (cause) {
      throw new CredentialError(`cannot read the client certificate in ${certFile}`, { cause });
    }
  }

  function certificate(): Promise<Certificate> {
    const isFresh = current !== undefined && performance.now() - current.readAtMs <= certificateFileMs;
    return isFresh && current ? Promise.resolve(current.certificate) : read();
  }

  return {
    get: async () => ({ ...(await source.get()), ...(await certificate()) }),
    async renew(refused) {
      const renewed = await source.renew(refused);
      const found = await read();
      const isNew = found.cert !== refused.cert || found.key !== refused.key;
      return renewed || isNew ? { ...refused, ...renewed, ...found } : undefined;
    },
  };
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** A rotated token is used within this time. */
const tokenFileMs = 60_000;

/** Gives the token in a file, which is read again periodically and after a 401. */
function tokenFileCredentials(path: string, base: Credentials): CredentialSource {
  let current = { text: '', readAtMs: -Infinity };
  async function read(): Promise<Credentials> {
    try {
      current = { text: (await readFile(path, 'utf8')).trim(), readAtMs: performance.now() };
    } catch (cause) {
      throw new CredentialError(`cannot read the token in ${path}`, { cause });
    }
    return credentials();
  }
  const credentials = (): Credentials => (current.text ? { ...base, authorization: bearer(current.text) } : base);
  return {
    get: async () => (performance.now() - current.readAtMs > tokenFileMs ? read() : credentials()),
    async renew(refused) {
      const found = await read();
      return found.authorization === refused.authorization ? undefined : found;
    },
  };
}

/** The source of the credentials of a connection. Files and commands are used when it is asked. */
export function openCredentials(settings: ConnectionSettings): CredentialSource {
  if (settings.credentials) return settings.credentials;
  const { cert, key, certFile, keyFile, exec } = settings;
  const certificate: Credentials = cert && key ? { cert, key } : {};
  if (exec) return execCredentials(exec, certificate);
  const source = openTokens(settings, certificate);
  return certFile && keyFile ? certificateFileCredentials({ certFile, keyFile }, source) : source;
}

function openTokens(settings: ConnectionSettings, certificate: Credentials): CredentialSource {
  const { oidc, token, tokenFile, username, password = '' } = settings;
  if (oidc) return oidcCredentials(oidc, certificate);
  if (tokenFile !== undefined) return tokenFileCredentials(tokenFile, certificate);
  const basic = username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const authorization = token ? bearer(token) : basic;
  return fixedCredentials(authorization ? { ...certificate, authorization } : certificate);
}

/** Returns a function that gives the Authorization header of a request; undefined without one. */
export function authorizationHeader(settings: ConnectionSettings): () => Promise<string | undefined> {
  const source = openCredentials(settings);
  return async () => (await source.get()).authorization;
}
