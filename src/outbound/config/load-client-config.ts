import { dirname, resolve } from 'node:path';
import {
  type ClientConfig,
  ClientConfigError,
  clientConfigOf,
  type ClusterEntry,
  type Located,
  mergeClientConfigs,
  parseClientConfig,
  type PlainYamlReader,
  type UserEntry,
} from './client-config.ts';
import { readMaterial, readText, textOf, withoutUndefined } from './config-entry.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { readFixedUser, readUser, type UserCredentials } from './read-user.ts';

/** The choices of a caller among the entries of a client config. */
export interface ClientConfigOptions {
  /** The default is the current context of the file. */
  readonly context?: string | undefined;
  /** The names of the cluster and the user; by default the ones of the context. */
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** The address of the server, which overrides the cluster's. No context needs to be chosen. */
  readonly server?: string | undefined;
  /** Refuses users whose credentials come from a command or an OpenID provider. */
  readonly fixedCredentials?: boolean;
  /** Reads the YAML of files before the complete reader, which takes long to load. */
  readonly readPlainYaml?: PlainYamlReader;
}

/**
 * Reads client config files and resolves one of their contexts. The first of several files with an
 * entry wins; of several files, those that do not exist are left out. Paths in a file are relative
 * to the file. Throws ClientConfigError.
 *
 * @example
 * const settings = await loadClientConfig('.cl/admin.clientconfig');
 */
export async function loadClientConfig(
  paths: string | readonly string[],
  options: ClientConfigOptions = {},
): Promise<ConnectionSettings> {
  const files = typeof paths === 'string' ? [paths] : paths;
  const found = await Promise.all(files.map((path) => readConfig(path, files.length > 1, options.readPlainYaml)));
  const config = mergeClientConfigs(found.filter((each) => each !== undefined));
  return inFile(files.join(', '), () => resolveContext(config, options));
}

/**
 * Resolves a context of a client config that is not in a file: its YAML or JSON, or the object that
 * these stand for. Paths in it are relative to the working directory. Throws ClientConfigError.
 *
 * @example
 * const settings = await readClientConfig(process.env.CLIENT_CONFIG ?? '');
 */
export async function readClientConfig(
  config: string | object,
  options: ClientConfigOptions = {},
): Promise<ConnectionSettings> {
  const file = resolve('client-config');
  const parsed = typeof config === 'string' ? await parseClientConfig(config, file) : clientConfigOf(config, file);
  return resolveContext(parsed, options);
}

/**
 * Reads the users of a client config file by name: the credentials of a server for others, which
 * the names match (see `findCredentials`). Throws ClientConfigError.
 */
export async function loadCredentials(path: string): Promise<ReadonlyMap<string, UserCredentials>> {
  const text = await readText(path);
  return inFile(path, async () => {
    const { users } = await parseClientConfig(text, resolve(path));
    const read = [...users].map(async ([name, user]) => [name, await readFixedUser(name, user)] as const);
    return new Map(await Promise.all(read));
  });
}

/**
 * Checks that a client config file can be read, without the files that it names. Throws
 * ClientConfigError.
 */
export async function checkClientConfig(path: string): Promise<void> {
  await readConfig(path, false);
}

/** Reads a config file; undefined if the file may be missing and is. */
async function readConfig(
  path: string,
  optional: boolean,
  readPlain?: PlainYamlReader,
): Promise<ClientConfig | undefined> {
  try {
    const text = await readText(path);
    return await inFile(path, () => parseClientConfig(text, resolve(path), readPlain));
  } catch (error) {
    if (optional && isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'ENOENT') || isMissing(error.cause);
}

/** Names the file in errors. */
async function inFile<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClientConfigError) throw new ClientConfigError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function resolveContext(config: ClientConfig, options: ClientConfigOptions): Promise<ConnectionSettings> {
  const contextName = options.context || config.currentContext;
  const isEnough = (options.cluster && options.user) || options.server !== undefined;
  const isNeeded = !isEnough || contextName !== '';
  const context = isNeeded ? find('context', contextName, config.contexts).entry : {};
  const clusterName = options.cluster || (textOf(context.cluster) ?? '');
  const cluster = clusterOf(clusterName, config, options);
  const userName = options.user || (textOf(context.user) ?? '');
  const user: Located<UserEntry> = userName === '' ? noUser : find('user', userName, config.users);
  const readCredentials = options.fixedCredentials ? readFixedUser : readUser;
  const [ca, credentials] = await Promise.all([
    readMaterial(cluster.entry, 'certificate-authority', dirname(cluster.file), `cluster "${clusterName}"`),
    readCredentials(userName, user, cluster),
  ]);
  const { entry } = cluster;
  return withoutUndefined({
    server: options.server ?? serverOf(entry.server, clusterName),
    ca,
    ...credentials,
    serverName: textOf(entry['tls-server-name']),
    insecure: entry['insecure-skip-tls-verify'] === true || undefined,
    proxyUrl: proxyOf(entry['proxy-url'], clusterName),
    namespace: textOf(context.namespace) ?? 'default',
  });
}

/** Without a name it has nothing but the server of the caller. */
function clusterOf(name: string, { clusters }: ClientConfig, { server }: ClientConfigOptions): Located<ClusterEntry> {
  return name === '' && server !== undefined ? noCluster : find('cluster', name, clusters);
}

const noCluster: Located<ClusterEntry> = Object.freeze({ entry: {}, file: '' });

/** A context without a user. */
const noUser: Located<UserEntry> = Object.freeze({ entry: {}, file: '' });

function find<Entry>(what: string, name: string, entries: ReadonlyMap<string, Entry>): Entry {
  const found = entries.get(name);
  if (found) return found;
  const known = [...entries.keys()];
  const list = known.length > 0 ? `there are: ${known.join(', ')}` : 'there is none';
  throw new ClientConfigError(name ? `${what} "${name}" does not exist; ${list}` : `no ${what} is chosen; ${list}`);
}

function serverOf(value: ClusterEntry['server'], clusterName: string): string {
  const server = textOf(value) ?? '';
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    throw new ClientConfigError(`cluster "${clusterName}": server must be a URL like https://host:port`);
  }
  return server.replace(/\/+$/, '');
}

const proxyProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

function proxyOf(value: ClusterEntry['proxy-url'], clusterName: string): string | undefined {
  const proxy = textOf(value);
  if (proxy === undefined) return undefined;
  if (!URL.canParse(proxy) || !proxyProtocols.has(new URL(proxy).protocol)) {
    // It may contain a password.
    throw new ClientConfigError(`cluster "${clusterName}": proxy-url must be a URL with http, https or socks5`);
  }
  return proxy;
}
