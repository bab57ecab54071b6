import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ClientConfig, ClientConfigError, parseClientConfig } from './client-config.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/**
 * Reads a client config file and resolves one of its contexts. Paths in the file are relative to
 * the file. Throws ClientConfigError.
 *
 * @example
 * const settings = await loadClientConfig('.cl/admin.clientconfig');
 */
export async function loadClientConfig(
  path: string,
  options: { readonly context?: string } = {},
): Promise<ConnectionSettings> {
  try {
    const config = parseClientConfig(await readText(path));
    return await resolveContext(config, dirname(resolve(path)), options.context || config.currentContext);
  } catch (error) {
    if (error instanceof ClientConfigError) throw new ClientConfigError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The credentials of a user of a client config. */
export type UserCredentials = Pick<
  ConnectionSettings,
  'cert' | 'key' | 'token' | 'tokenFile' | 'username' | 'password'
>;

/**
 * Reads the users of a client config file by name: the credentials of a server for others, which
 * the names match (see `findCredentials`). Throws ClientConfigError.
 */
export async function loadCredentials(path: string): Promise<ReadonlyMap<string, UserCredentials>> {
  try {
    const { users } = parseClientConfig(await readText(path));
    const names = [...users.keys()];
    const found = names.map((name) => readUser(name, users.get(name) ?? {}, dirname(resolve(path))));
    const credentials = await Promise.all(found);
    return new Map(names.map((name, index) => [name, credentials[index] ?? {}]));
  } catch (error) {
    if (error instanceof ClientConfigError) throw new ClientConfigError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function readUser(name: string, user: Record<string, unknown>, directory: string): Promise<UserCredentials> {
  for (const method of ['exec', 'auth-provider'] as const) {
    if (user[method] !== undefined) throw new ClientConfigError(`user "${name}": ${method} is not supported`);
  }
  const [cert, key] = await Promise.all(
    ['client-certificate', 'client-key'].map((field) => readMaterial(user, field, directory)),
  );
  if ((cert === undefined) !== (key === undefined)) {
    throw new ClientConfigError(`user "${name}": client-certificate and client-key must come together`);
  }
  const tokenFile = text(user['tokenFile']);
  return withoutUndefined({
    cert,
    key,
    token: text(user['token']),
    tokenFile: tokenFile && resolve(directory, tokenFile),
    username: text(user['username']),
    password: text(user['password']),
  });
}

async function resolveContext(config: ClientConfig, directory: string, name: string): Promise<ConnectionSettings> {
  const context = config.contexts.get(name);
  if (!context) throw new ClientConfigError(missing('context', name, [...config.contexts.keys()]));
  const clusterName = text(context.cluster) ?? '';
  const cluster = config.clusters.get(clusterName);
  if (!cluster) throw new ClientConfigError(missing('cluster', clusterName, [...config.clusters.keys()]));
  const userName = text(context.user) ?? '';
  const user = config.users.get(userName) ?? {};
  if (userName && !config.users.has(userName)) {
    throw new ClientConfigError(missing('user', userName, [...config.users.keys()]));
  }
  const [ca, credentials] = await Promise.all([
    readMaterial(cluster, 'certificate-authority', directory),
    readUser(userName, user, directory),
  ]);
  return withoutUndefined({
    server: serverOf(cluster.server, clusterName),
    ca,
    ...credentials,
    serverName: text(cluster['tls-server-name']),
    insecure: cluster['insecure-skip-tls-verify'] === true || undefined,
    namespace: text(context.namespace) ?? 'default',
  });
}

/** PEM from `<field>-data` (base64, which takes precedence) or from the file named by `<field>`. */
async function readMaterial(
  entry: Record<string, unknown>,
  field: string,
  directory: string,
): Promise<string | undefined> {
  const data = text(entry[`${field}-data`]);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const path = text(entry[field]);
  return path === undefined ? undefined : readText(resolve(directory, path));
}

function serverOf(value: unknown, clusterName: string): string {
  const server = text(value) ?? '';
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    throw new ClientConfigError(`cluster "${clusterName}": server must be a URL like https://host:port`);
  }
  return server.replace(/\/+$/, '');
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new ClientConfigError(`cannot read ${path} (${code})`, { cause });
  }
}

function missing(what: string, name: string, known: readonly string[]): string {
  const list = known.length > 0 ? `there are: ${known.join(', ')}` : 'there is none';
  return name ? `${what} "${name}" does not exist; ${list}` : `no ${what} is chosen; ${list}`;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends Record<string, unknown>>(fields: T): Defined<T> {
  // The remaining fields have no undefined value, as the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
