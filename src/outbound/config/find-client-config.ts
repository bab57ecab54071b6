import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Identifiers, identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { ClientConfigError } from './client-config.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { type ClientConfigOptions, loadClientConfig } from './load-client-config.ts';

/** The places in which a client config is searched; tests replace them. */
interface SearchPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The parent of the directory `<label domain>/serviceaccount` of a pod. */
  readonly secretsDirectory: string;
}

const identifiers: readonly Identifiers[] = identifierSets.map(identifiersOf);

/**
 * Finds the server as programs of a cluster do: the files that the environment names (a list in
 * `CLIENTCONFIG`, or the same variable of the other identifier set), the service account of the pod
 * in which the program runs, or the file in the home directory. Throws ClientConfigError.
 *
 * @example
 * const client = createClient(await findClientConfig());
 */
export async function findClientConfig(
  options: ClientConfigOptions = {},
  places: Partial<SearchPlaces> = {},
): Promise<ConnectionSettings> {
  const { env = process.env, homeDirectory = homedir(), secretsDirectory = '/var/run/secrets' } = places;
  const named = namedFiles(env);
  if (named.length > 0) return loadClientConfig(named, options);
  const inCluster = await inClusterConfig(env, secretsDirectory);
  if (inCluster) return inCluster;
  const homes = ['.cl', '.kube'].map((name) => join(homeDirectory, name, 'config'));
  const found = homes.find((path) => existsSync(path));
  if (found !== undefined) return loadClientConfig(found, options);
  const [variable] = identifiers.map(({ clientConfigVariable }) => clientConfigVariable);
  throw new ClientConfigError(`no client config was found: set ${variable}, or run in a pod with a service account`);
}

/** The files in a variable with a list of paths. */
export function pathsIn(list: string | undefined): readonly string[] {
  return (list ?? '').split(delimiter).filter((path) => path !== '');
}

function namedFiles(env: SearchPlaces['env']): readonly string[] {
  const lists = identifiers.map(({ clientConfigVariable }) => pathsIn(env[clientConfigVariable]));
  return lists.find((paths) => paths.length > 0) ?? [];
}

/** The settings of a program in a pod; undefined outside of one. The token is read again. */
async function inClusterConfig(
  env: SearchPlaces['env'],
  secretsDirectory: string,
): Promise<ConnectionSettings | undefined> {
  for (const { product, labelDomain } of identifiers) {
    const variable = `${product.toUpperCase()}_SERVICE`;
    const [host, port] = [env[`${variable}_HOST`], env[`${variable}_PORT`]];
    const directory = join(secretsDirectory, labelDomain, 'serviceaccount');
    const tokenFile = join(directory, 'token');
    if (!host || !port || !existsSync(tokenFile)) continue;
    const [ca, namespace] = await Promise.all(
      ['ca.crt', 'namespace'].map((name) => readFile(join(directory, name), 'utf8').catch(() => undefined)),
    );
    const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
    return { server, tokenFile, namespace: namespace?.trim() || 'default', ...(ca ? { ca } : {}) };
  }
  return undefined;
}
