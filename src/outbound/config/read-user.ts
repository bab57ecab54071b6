import { dirname, resolve } from 'node:path';
import { ClientConfigError, type ClusterEntry, type Located, type UserEntry } from './client-config.ts';
import { readMaterial, textOf, withoutUndefined } from './config-entry.ts';
import type { ConnectionSettings, ImpersonatedUser, OidcSettings } from './connection-settings.ts';
import { readExec } from './read-exec.ts';

/** The fixed credentials of a user of a client config. */
export type UserCredentials = Pick<
  ConnectionSettings,
  'cert' | 'key' | 'token' | 'tokenFile' | 'username' | 'password'
>;

/** All that a user of a client config adds to a connection. */
type UserSettings = UserCredentials &
  Pick<ConnectionSettings, 'certFile' | 'keyFile' | 'exec' | 'oidc' | 'impersonate'>;

/** Reads the credentials of a user. Refuses those that come from a command or a provider. */
export async function readFixedUser(name: string, user: Located<UserEntry>): Promise<UserCredentials> {
  for (const method of ['exec', 'auth-provider'] as const) {
    if (user.entry[method] !== undefined) throw new ClientConfigError(`user "${name}": ${method} is not supported`);
  }
  return readFixed(name, user);
}

/** Reads a user for connections to a cluster, which may be passed to a command. */
export async function readUser(
  name: string,
  user: Located<UserEntry>,
  cluster: Located<ClusterEntry>,
): Promise<UserSettings> {
  const { entry, file } = user;
  const where = `user "${name}"`;
  return withoutUndefined({
    ...(await readFixed(name, user)),
    ...certificateFiles(entry, dirname(file)),
    exec: entry.exec === undefined ? undefined : await readExec(entry.exec, where, dirname(file), cluster),
    oidc: entry['auth-provider'] === undefined ? undefined : await readAuthProvider(entry['auth-provider'], name, file),
    impersonate: impersonatedUser(entry),
  });
}

async function readFixed(name: string, { entry, file }: Located<UserEntry>): Promise<UserCredentials> {
  const directory = dirname(file);
  const [cert, key] = await Promise.all(
    ['client-certificate', 'client-key'].map((field) => readMaterial(entry, field, directory, `user "${name}"`)),
  );
  if ((cert === undefined) !== (key === undefined)) {
    throw new ClientConfigError(`user "${name}": client-certificate and client-key must come together`);
  }
  const tokenFile = textOf(entry.tokenFile);
  return withoutUndefined({
    cert,
    key,
    token: textOf(entry.token),
    tokenFile: tokenFile && resolve(directory, tokenFile),
    username: textOf(entry.username),
    password: textOf(entry.password),
  });
}

/** The files of a certificate that is not in the config. */
function certificateFiles(entry: UserEntry, directory: string): Pick<ConnectionSettings, 'certFile' | 'keyFile'> {
  const [certFile, keyFile] = [textOf(entry['client-certificate']), textOf(entry['client-key'])];
  const hasData = textOf(entry['client-certificate-data']) ?? textOf(entry['client-key-data']);
  if (!certFile || !keyFile || hasData !== undefined) return {};
  return { certFile: resolve(directory, certFile), keyFile: resolve(directory, keyFile) };
}

function impersonatedUser(entry: UserEntry): ImpersonatedUser | undefined {
  const username = textOf(entry.as);
  if (username === undefined) return undefined;
  const extra = Object.entries(entry['as-user-extra'] ?? {}).map(([key, values]) => [key, textsOf(values)]);
  return {
    username,
    groups: textsOf(entry['as-groups']),
    uid: textOf(entry['as-uid']) ?? '',
    extra: Object.fromEntries(extra) as Record<string, string[]>,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Reads the auth provider of a user; `oidc` is the only one. Throws ClientConfigError. */
async function readAuthProvider(value: unknown, user: string, file: string): Promise<OidcSettings> {
  const { name, config = {} }: { name?: unknown; config?: unknown } = Object(value);
  if (name !== 'oidc') throw new ClientConfigError(`user "${user}": there is no auth provider "${String(name)}"`);
  const fields: Readonly<Record<string, unknown>> = { ...Object(config) };
  const [issuer, clientId] = ['idp-issuer-url', 'client-id'].map((key) => textOf(fields[key]));
  if (!issuer || !clientId) {
    throw new ClientConfigError(`user "${user}": auth-provider: Must provide idp-issuer-url and client-id`);
  }
  return withoutUndefined({
    issuer,
    clientId,
    clientSecret: textOf(fields['client-secret']),
    idToken: textOf(fields['id-token']),
    refreshToken: textOf(fields['refresh-token']),
    ca: await readMaterial(fields, 'idp-certificate-authority', dirname(file), `user "${user}": auth-provider`),
    file,
    user,
  });
}
