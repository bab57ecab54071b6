import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { decodePlainYaml } from '../../codec/plain-yaml.ts';
import { copyJsonObject, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { type ConfigList, configLists, currentContextOf, entriesOf, withEntries } from './config-entries.ts';

/** A file of the client config. */
export interface ConfigFile {
  readonly path: string;
  readonly exists: boolean;
  readonly root: JsonObject;
}

/** A file that lists clusters and has their certificates. */
const limitBytes = 16 * 1024 * 1024;

/** Reads files; those that do not exist are empty. Throws CliError for a file that is no config. */
export function readConfigFiles(paths: readonly string[]): Promise<ConfigFile[]> {
  return Promise.all(paths.map(readConfigFile));
}

async function readConfigFile(path: string): Promise<ConfigFile> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new CliError(`${path} cannot be read`, { hint: cause.message, cause });
  });
  if (bytes === undefined || bytes.toString().trim() === '') return { path, exists: bytes !== undefined, root: {} };
  try {
    const value = isUtf8(bytes) && decodePlainYaml(bytes.toString())?.value;
    if (isJsonObject(value)) return { path, exists: true, root: checked(value) };
    // The complete reader is large, and needed for few files.
    const { decodeYaml } = await import('../../codec/decode-yaml.ts');
    const { value: root } = decodeYaml(bytes, limitBytes);
    if (isJsonObject(root)) return { path, exists: true, root: checked(root) };
  } catch (cause) {
    throw new CliError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  throw new CliError(`${path}: a client config with clusters, users and contexts is expected`);
}

/** Lists of another type would be lost when an entry is added. */
function checked(root: JsonObject): JsonObject {
  const odd = Object.keys(configLists).find((list) => !Array.isArray(root[list] ?? []));
  if (odd === undefined) return root;
  throw new TypeError(`"${odd}" must be a list`);
}

/** The files as one config: the first entry with a name wins, and the first choice of a context. */
export function mergeConfigFiles(files: readonly ConfigFile[]): JsonObject {
  const lists = Object.keys(configLists) as ConfigList[];
  const merged = new Map(
    lists.map((list) => [list, new Map(files.toReversed().flatMap((file) => [...locatedEntries(file, list)]))]),
  );
  let root: JsonObject = { apiVersion: 'v1', kind: 'Config' };
  for (const [list, entries] of merged) root = withEntries(root, list, entries);
  const current = files.map((file) => currentContextOf(file.root)).find(Boolean) ?? '';
  return { ...root, 'current-context': current };
}

/** Paths in a config are relative to its file. */
const paths = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function locatedEntries({ path, root }: ConfigFile, list: ConfigList): [string, JsonObject][] {
  return [...entriesOf(root, list)].map(([name, content]) => {
    const located = copyJsonObject(content);
    for (const key of paths) {
      const value = located[key];
      if (typeof value === 'string' && value !== '') located[key] = resolve(dirname(path), value);
    }
    return [name, located];
  });
}
