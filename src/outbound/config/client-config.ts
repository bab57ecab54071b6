import { loadYaml } from './config-yaml.ts';

/** A client config: clusters, users, and contexts that pair them. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, Located<ClusterEntry>>;
  readonly users: ReadonlyMap<string, Located<UserEntry>>;
  readonly contexts: ReadonlyMap<string, Located<ContextEntry>>;
  readonly currentContext: string;
}

/** Fields of a cluster by their names in the file. */
export type ClusterEntry = Fields<
  | 'server'
  | 'certificate-authority'
  | 'certificate-authority-data'
  | 'tls-server-name'
  | 'insecure-skip-tls-verify'
  | 'proxy-url'
  | 'extensions'
>;
/** Fields of a user. */
export type UserEntry = Fields<
  | 'client-certificate'
  | 'client-certificate-data'
  | 'client-key'
  | 'client-key-data'
  | 'token'
  | 'tokenFile'
  | 'username'
  | 'password'
  | 'as'
  | 'as-uid'
  | 'as-groups'
  | 'as-user-extra'
  | 'exec'
  | 'auth-provider'
>;
/** Fields of a context. */
type ContextEntry = Fields<'cluster' | 'user' | 'namespace'>;

/** An entry, and the file that it is in. Paths in the entry are relative to that. */
export interface Located<Entry> {
  readonly entry: Entry;
  readonly file: string;
}

type Fields<Names extends string> = { readonly [name in Names]?: unknown };

/** An unusable config. The message says where the mistake is, and the expected value. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError';
}

/** Reads YAML of the usual form; undefined for a text that it leaves to the complete reader. */
export type PlainYamlReader = (text: string) => { readonly value: unknown } | undefined;

/** Reads the YAML or JSON of the client config in `file`. Throws ClientConfigError. */
export async function parseClientConfig(
  text: string,
  file: string,
  readPlain?: PlainYamlReader,
): Promise<ClientConfig> {
  // An empty file is left to the complete reader, which knows what it stands for.
  return clientConfigOf(parseJson(text) ?? readPlain?.(text)?.value ?? (await parseYaml(text)), file);
}

/**
 * The client config that a value is, as if it were read from `file`. Throws ClientConfigError.
 */
export function clientConfigOf(value: unknown, file: string): ClientConfig {
  const root = asFields(value, 'the config');
  const currentContext = root['current-context'];
  return {
    clusters: entries(root, file, 'clusters', 'cluster'),
    users: entries(root, file, 'users', 'user'),
    contexts: entries(root, file, 'contexts', 'context'),
    currentContext: typeof currentContext === 'string' ? currentContext : '',
  };
}

/** Merges the configs of several files. The first entry with a name, and the first choice, wins. */
export function mergeClientConfigs(configs: readonly ClientConfig[]): ClientConfig {
  const merge = <Entry>(entriesOf: (config: ClientConfig) => ReadonlyMap<string, Entry>): Map<string, Entry> =>
    new Map(configs.toReversed().flatMap((config) => [...entriesOf(config)]));
  return {
    clusters: merge(({ clusters }) => clusters),
    users: merge(({ users }) => users),
    contexts: merge(({ contexts }) => contexts),
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
  };
}

/** JSON is read without the parser of YAML, which takes longer to load than the rest. */
function parseJson(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { isMap, parseDocument } = await loadYaml();
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new ClientConfigError(`not valid YAML: ${error.message.split('\n')[0]}`);
  // An empty file names nobody, as for kube-apiserver.
  if (document.contents === null) return {};
  if (!isMap(document.contents))
    throw new ClientConfigError('a mapping with clusters, users and contexts was expected');
  return document.toJS({ maxAliasCount: 0 });
}

function entries(
  root: Record<string, unknown>,
  file: string,
  listName: string,
  field: string,
): Map<string, Located<Record<string, unknown>>> {
  const list = root[listName] ?? [];
  if (!Array.isArray(list)) throw new ClientConfigError(`${listName} is not a list`);
  const found = new Map<string, Located<Record<string, unknown>>>();
  for (const [index, item] of list.entries()) {
    const where = `${listName}[${index}]`;
    const { name, [field]: value } = asFields(item, where);
    if (typeof name !== 'string') throw new ClientConfigError(`${where}.name is not a string`);
    // The first of two entries with a name wins, as when files are merged.
    if (!found.has(name)) found.set(name, { entry: asFields(value ?? {}, `${where}.${field}`), file });
  }
  return found;
}

function asFields(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ClientConfigError(`${where} is not a mapping`);
  }
  return { ...value };
}
