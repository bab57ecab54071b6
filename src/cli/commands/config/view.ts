import { readFile } from 'node:fs/promises';
import { copyJsonObject, getOwn, isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import { configFilePaths } from '../../client-config-files/change-config.ts';
import {
  type ConfigList,
  configLists,
  currentContextOf,
  entriesOf,
  withEntries,
} from '../../client-config-files/config-entries.ts';
import { mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import type { viewFlags } from './flags.ts';

/** `cl config view`: prints the client config, without secrets unless they are asked for. */
export async function view({ options, io }: Invocation<typeof viewFlags>): Promise<void> {
  const paths = configFilePaths({ options, io });
  const files = await readConfigFiles(options.merge ? paths : paths.slice(0, 1));
  const merged = mergeConfigFiles(files);
  const current = options.context ?? currentContextOf(merged);
  let root: JsonObject = { ...merged, 'current-context': current };
  if (options.minify) root = minify(root, options);
  if (options.flatten) root = await flatten(root);
  // A flattened config is made to be taken elsewhere.
  if (!options.raw && !options.flatten) root = mapEntries(root, hideSecrets);
  const shown = withNulls(root);
  // The fields are in the order of kubectl, not sorted by name.
  const isJson = options.output === 'json';
  const print = isJson ? () => `${JSON.stringify(shown, null, 4)}\n` : await objectPrinter(options, io);
  io.stdout.write(print(shown));
}

/** Empty lists are null, as kubectl prints them, and scripts may expect. */
function withNulls(root: JsonObject): JsonObject {
  const lists = Object.keys(configLists).map((list) => {
    const items = root[list];
    return [list, Array.isArray(items) && items.length > 0 ? items : null];
  });
  // The order of kubectl's JSON.
  const { kind = '', apiVersion = '' } = root;
  const fields = Object.fromEntries(lists) as JsonObject;
  const { clusters = null, users = null, contexts = null } = fields;
  return { kind, apiVersion, clusters, users, contexts, 'current-context': currentContextOf(root) };
}

function minify(
  root: JsonObject,
  { cluster, user }: { readonly cluster?: string; readonly user?: string },
): JsonObject {
  const name = currentContextOf(root);
  const context = entriesOf(root, 'contexts').get(name);
  if (!context) {
    const why = name === '' ? 'current-context must exist in order to minify' : `cannot locate context ${name}`;
    throw new CliError(why, { hint: 'choose one with "cl config use-context"' });
  }
  const used: Readonly<Record<ConfigList, string>> = {
    contexts: name,
    clusters: cluster ?? stringAt(context, 'cluster'),
    users: user ?? stringAt(context, 'user'),
  };
  return mapLists(root, (list, entries) => new Map([...entries].filter(([key]) => key === used[list])));
}

function mapLists(
  root: JsonObject,
  change: (list: ConfigList, entries: ReadonlyMap<string, JsonObject>) => ReadonlyMap<string, JsonObject>,
): JsonObject {
  return (Object.keys(configLists) as ConfigList[]).reduce(
    (at, list) => withEntries(at, list, change(list, entriesOf(at, list))),
    root,
  );
}

function mapEntries(root: JsonObject, change: (content: JsonObject) => JsonObject): JsonObject {
  return mapLists(root, (_, entries) => new Map([...entries].map(([name, content]) => [name, change(content)])));
}

/** The fields with certificates and keys, whose content may be in a file. */
const materials = ['certificate-authority', 'client-certificate', 'client-key'];

/** The client config with the content of its files. */
export async function flatten(root: JsonObject): Promise<JsonObject> {
  const paths = (Object.keys(configLists) as ConfigList[]).flatMap((list) =>
    [...entriesOf(root, list).values()].flatMap((content) => materials.map((field) => stringAt(content, field))),
  );
  const contents = new Map<string, string>();
  for (const path of new Set(paths.filter(Boolean))) contents.set(path, await base64Of(path));
  return mapEntries(root, (content) => {
    const flat = copyJsonObject(content);
    for (const field of materials) {
      const path = stringAt(flat, field);
      if (path === '') continue;
      // Data in the file takes precedence over a path.
      flat[`${field}-data`] = stringAt(flat, `${field}-data`) || (contents.get(path) ?? '');
      delete flat[field];
    }
    return flat;
  });
}

/** The content of a file as a client config has it. Throws CliError. */
export async function base64Of(path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64');
  } catch (cause) {
    throw new CliError(`${path} cannot be read`, { hint: cause instanceof Error ? cause.message : '', cause });
  }
}

const hidden = ['token', 'password'];
const hiddenOfProvider = ['id-token', 'refresh-token', 'client-secret', 'access-token'];

function hideSecrets(content: JsonObject): JsonObject {
  const shown = hide(content, hidden, 'REDACTED');
  const data = materials.map((field) => `${field}-data`);
  const provider = getOwn(shown, 'auth-provider');
  const config = isJsonObject(provider) ? getOwn(provider, 'config') : undefined;
  if (isJsonObject(provider) && isJsonObject(config)) {
    shown['auth-provider'] = { ...provider, config: hide(config, hiddenOfProvider, 'REDACTED') };
  }
  return hide(shown, data, 'DATA+OMITTED');
}

function hide(content: JsonObject, fields: readonly string[], replacement: string): JsonObject {
  const shown = copyJsonObject(content);
  for (const field of fields) if (stringAt(shown, field) !== '') shown[field] = replacement;
  return shown;
}
