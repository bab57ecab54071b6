import type { JsonObject } from '../../meta/json-value.ts';
import type { OidcSettings } from '../config/connection-settings.ts';
import { lazyModule } from '../../package/lazy-module.ts';
import type { JsonClient } from '../json-client.ts';
import { bearer, CredentialError, type Credentials, type CredentialSource } from '../config/credential-source.ts';
import { temporaryName } from '../../files/temporary-name.ts';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { loadYaml } from '../config/config-yaml.ts';

/** A token that expires within this time is refreshed. */
const leewayMs = 10_000;

const limits = Object.freeze({ timeoutMs: 10_000, maxResponseBytes: 1024 * 1024, connections: 1 });

/**
 * Gives the ID token of an OpenID provider. One that has expired or is refused is replaced by means
 * of the refresh token, and both are written into the client config file.
 */
export function oidcCredentials(settings: OidcSettings, base: Credentials): CredentialSource {
  let { idToken = '', refreshToken = '' } = settings;
  let running: Promise<Credentials> | undefined;
  const credentials = (): Credentials => ({ ...base, authorization: bearer(idToken) });

  async function refresh(): Promise<Credentials> {
    if (!refreshToken) throw new CredentialError('No valid id-token, and cannot refresh without refresh-token');
    const tokens = await requestTokens(settings, refreshToken);
    idToken = tokens.idToken;
    refreshToken = tokens.refreshToken || refreshToken;
    await writeTokens(settings, { 'id-token': idToken, 'refresh-token': refreshToken });
    return credentials();
  }

  /** Requests that wait share one refresh: providers may accept a refresh token only once. */
  function share(): Promise<Credentials> {
    running ??= refresh().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get: () => (Date.now() < expiryOf(idToken) - leewayMs ? Promise.resolve(credentials()) : share()),
    async renew(refused) {
      if (refused.authorization !== bearer(idToken)) return credentials();
      return refreshToken ? share() : undefined;
    },
  };
}

/** Most processes have no tokens of such providers. */
const loadJsonClient = lazyModule(() => import('../json-client.ts'));

async function requestTokens(
  { issuer, ca, clientId, clientSecret = '' }: OidcSettings,
  refreshToken: string,
): Promise<{ readonly idToken: string; readonly refreshToken: string }> {
  const { createJsonClient } = await loadJsonClient();
  const client = createJsonClient(ca === undefined ? {} : { ca }, limits);
  try {
    const endpoint = await tokenEndpoint(client, issuer);
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    const { body } = await client.request({
      method: 'POST',
      url: endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(clientSecret ? { ...form, client_secret: clientSecret } : form).toString(),
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    const idToken = textOf(body, 'id_token');
    if (!idToken) throw new CredentialError('token response did not contain an id_token');
    return { idToken, refreshToken: textOf(body, 'refresh_token') };
  } catch (cause) {
    if (cause instanceof CredentialError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CredentialError(`failed to refresh token: ${why}`, { cause });
  } finally {
    await client.close();
  }
}

async function tokenEndpoint(client: JsonClient, issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { body } = await client.request({ method: 'GET', url, signal: AbortSignal.timeout(limits.timeoutMs) });
  const endpoint = textOf(body, 'token_endpoint');
  if (!URL.canParse(endpoint)) throw new CredentialError(`the provider ${issuer} has no token endpoint`);
  return endpoint;
}

/** The expiry in a token; -Infinity for one that cannot be read. Only servers check signatures. */
function expiryOf(token: string): number {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const claims: unknown = JSON.parse(payload);
    const isObject = typeof claims === 'object' && claims !== null && 'exp' in claims;
    return isObject && typeof claims.exp === 'number' ? claims.exp * 1000 : -Infinity;
  } catch {
    return -Infinity;
  }
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Writes tokens into the user of a client config file, whose other contents and comments stay. The
 * file is replaced as a whole, so that no reader sees a part of it.
 */
async function writeTokens(
  { file, user }: Pick<OidcSettings, 'file' | 'user'>,
  tokens: Readonly<Record<string, string>>,
): Promise<void> {
  if (file === undefined) return;
  try {
    const { isMap, isSeq, parseDocument } = await loadYaml();
    const document = parseDocument(await readFile(file, 'utf8'));
    const users = document.get('users');
    const items = isSeq(users) ? users.items : [];
    const index = items.findIndex((item) => isMap(item) && item.get('name') === user);
    if (index < 0) return;
    for (const [name, value] of Object.entries(tokens)) {
      document.setIn(['users', index, 'user', 'auth-provider', 'config', name], value);
    }
    const { mode } = await stat(file);
    const partial = temporaryName(file);
    await writeFile(partial, document.toString({ lineWidth: 0 }), { mode, flag: 'wx' });
    await rename(partial, file);
  } catch (cause) {
    throw new CredentialError(`cannot write the refreshed tokens into ${file}`, { cause });
  }
}
