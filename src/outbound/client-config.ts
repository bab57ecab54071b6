import { isMap, parseDocument } from 'yaml';

/** A client config file: clusters, users, and contexts that pair them. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string;
}

/** Fields of a cluster by their names in the file. */
type ClusterEntry = Fields<
  'server' | 'certificate-authority' | 'certificate-authority-data' | 'tls-server-name' | 'insecure-skip-tls-verify'
>;
/** Fields of a user. */
type UserEntry = Fields<
  | 'client-certificate'
  | 'client-certificate-data'
  | 'client-key'
  | 'client-key-data'
  | 'token'
  | 'tokenFile'
  | 'username'
  | 'password'
  | 'exec'
  | 'auth-provider'
>;
/** Fields of a context. */
type ContextEntry = Fields<'cluster' | 'user' | 'namespace'>;

type Fields<Names extends string> = { readonly [name in Names]?: unknown };

/** An unusable config. The message says where the mistake is and what was expected. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError';
}

/** Reads a client config file's YAML or JSON. Throws ClientConfigError. */
export function parseClientConfig(text: string): ClientConfig {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new ClientConfigError(`not valid YAML: ${error.message.split('\n')[0]}`);
  if (!isMap(document.contents))
    throw new ClientConfigError('a mapping with clusters, users and contexts was expected');
  const content: unknown = document.toJS({ maxAliasCount: 0 });
  const root = asFields(content, 'the file');
  const currentContext = root['current-context'];
  return {
    clusters: entries(root, 'clusters', 'cluster'),
    users: entries(root, 'users', 'user'),
    contexts: entries(root, 'contexts', 'context'),
    currentContext: typeof currentContext === 'string' ? currentContext : '',
  };
}

function entries(root: Record<string, unknown>, listName: string, field: string): Map<string, Record<string, unknown>> {
  const list = root[listName] ?? [];
  if (!Array.isArray(list)) throw new ClientConfigError(`${listName} is not a list`);
  const found = new Map<string, Record<string, unknown>>();
  for (const [index, item] of list.entries()) {
    const where = `${listName}[${index}]`;
    const { name, [field]: value } = asFields(item, where);
    if (typeof name !== 'string') throw new ClientConfigError(`${where}.name is not a string`);
    // The first of two entries with a name wins, as when files are merged.
    if (!found.has(name)) found.set(name, asFields(value ?? {}, `${where}.${field}`));
  }
  return found;
}

function asFields(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ClientConfigError(`${where} is not a mapping`);
  }
  return { ...value };
}
