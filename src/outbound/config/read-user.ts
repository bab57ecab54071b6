import { dirname, resolve } from 'node:path';
import { ClientConfigError, type ClusterEntry, type Located, type UserEntry } from './client-config.ts';
import { readMaterial, textOf, withoutUndefined } from './config-entry.ts';
import type { ConnectionSettings, ImpersonatedUser, OidcSettings, ExecSettings } from './connection-settings.ts';
import { execVersion } from './exec-credential.ts';

const interactiveModes = Object.freeze(['Never', 'IfAvailable', 'Always'] as const);

/** Reads the command of a user (spec 5.8). Throws ClientConfigError. */
async function readExec(
  value: unknown,
  where: string,
  directory: string,
  cluster: Located<ClusterEntry>,
): Promise<ExecSettings> {
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const command = textOf(fields['command']);
  if (command === undefined) throw new ClientConfigError(`command must be specified for ${where} to use exec`);
  const apiVersion = textOf(fields['apiVersion']) ?? '';
  const version = execVersion(apiVersion);
  if (!version)
    throw new ClientConfigError(`${where}: exec: apiVersion ${JSON.stringify(apiVersion)} is not supported`);
  return withoutUndefined({
    // A name without a slash is searched in PATH.
    command: command.includes('/') ? resolve(directory, command) : command,
    args: listOf(fields['args']).filter((item) => typeof item === 'string'),
    env: envOf(fields['env'], where),
    apiVersion,
    interactiveMode: modeOf(fields['interactiveMode'], version.version, where),
    installHint: textOf(fields['installHint']),
    cluster: fields['provideClusterInfo'] === true ? await clusterInfo(cluster, version.group.name) : undefined,
  });
}

function modeOf(value: unknown, version: string, where: string): ExecSettings['interactiveMode'] {
  const mode = textOf(value);
  if (mode === undefined && version !== 'v1') return 'IfAvailable';
  const found = interactiveModes.find((each) => each === mode);
  if (found) return found;
  if (mode === undefined) throw new ClientConfigError(`interactiveMode must be specified for ${where} to use exec`);
  throw new ClientConfigError(`${where}: exec: interactiveMode must be Never, IfAvailable or Always, not "${mode}"`);
}

function envOf(value: unknown, where: string): ExecSettings['env'] {
  return listOf(value).map((item) => {
    const { name, value: content = '' }: { name?: unknown; value?: unknown } = Object(item);
    if (textOf(name) === undefined || typeof content !== 'string') {
      throw new ClientConfigError(`env variable name must be specified for ${where} to use exec`);
    }
    return { name: String(name), value: content };
  });
}

/** The part of the input that describes the cluster (spec 2.6). */
async function clusterInfo(
  { entry, file }: Located<ClusterEntry>,
  group: string,
): Promise<Readonly<Record<string, unknown>>> {
  const ca = await readMaterial(entry, 'certificate-authority', dirname(file), 'cluster');
  const extension = listOf(entry.extensions)
    .map((item): { name?: unknown; extension?: unknown } => Object(item))
    .find(({ name }) => name === `${group}/exec`);
  return withoutUndefined({
    server: textOf(entry.server),
    'tls-server-name': textOf(entry['tls-server-name']),
    'insecure-skip-tls-verify': entry['insecure-skip-tls-verify'] === true || undefined,
    'proxy-url': textOf(entry['proxy-url']),
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    config: extension?.extension,
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

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
