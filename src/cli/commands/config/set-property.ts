import { copyJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import {
  changeConfig,
  configFilePaths,
  currentContextWrite,
  entryWrite,
  findEntry,
} from '../../client-config-files/change-config.ts';
import { type ConfigList, configLists, entriesOf, withEntries } from '../../client-config-files/config-entries.ts';
import { mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import type { noFlags, setFlags } from './flags.ts';

/** The fields of each list that can be set, and how their values are read. */
const fields: Readonly<Record<ConfigList, Readonly<Record<string, 'text' | 'boolean' | 'bytes'>>>> = {
  clusters: {
    server: 'text',
    'tls-server-name': 'text',
    'insecure-skip-tls-verify': 'boolean',
    'certificate-authority': 'text',
    'certificate-authority-data': 'bytes',
    'proxy-url': 'text',
    'disable-compression': 'boolean',
  },
  users: {
    'client-certificate': 'text',
    'client-certificate-data': 'bytes',
    'client-key': 'text',
    'client-key-data': 'bytes',
    token: 'text',
    tokenFile: 'text',
    as: 'text',
    'as-uid': 'text',
    username: 'text',
    password: 'text',
    'exec.command': 'text',
    'exec.apiVersion': 'text',
    'exec.interactiveMode': 'text',
    'exec.installHint': 'text',
    'exec.provideClusterInfo': 'boolean',
  },
  contexts: { cluster: 'text', user: 'text', namespace: 'text' },
};

/** A property: a list, an entry of it, and a field of that. */
interface Property {
  readonly list: ConfigList;
  readonly name: string;
  /** '' for the whole entry. */
  readonly field: string;
}

/** Names may have dots: the longest one that exists, or else one that a field follows. */
function readProperty(path: string, root: JsonObject): Property {
  const [list = '', ...rest] = path.split('.');
  if (!Object.hasOwn(configLists, list) || rest.length === 0) throw unknownProperty(path);
  // It is a key of the table.
  const of = list as ConfigList;
  const text = rest.join('.');
  const existing = [...entriesOf(root, of).keys()]
    .filter((name) => text === name || text.startsWith(`${name}.`))
    .toSorted((one, other) => other.length - one.length)[0];
  const field = Object.keys(fields[of]).find((each) => text.endsWith(`.${each}`));
  const name = existing ?? (field === undefined ? text : text.slice(0, -field.length - 1));
  return { list: of, name, field: text.slice(name.length + 1) };
}

function unknownProperty(path: string): CliError {
  return new CliError(`there is no property "${path}"`, {
    hint: 'for example: clusters.NAME.server, users.NAME.token, contexts.NAME.namespace, current-context',
  });
}

async function known(caller: Pick<Invocation, 'options' | 'io'>): Promise<JsonObject> {
  return mergeConfigFiles(await readConfigFiles(configFilePaths(caller)));
}

/** `cl config set`: sets a property by its path. */
export async function setProperty(invocation: Invocation<typeof setFlags>): Promise<void> {
  const {
    words: [path = '', text = ''],
    options,
    io,
  } = invocation;
  if (path === 'current-context') {
    await changeConfig(invocation, (files) => ({ writes: [currentContextWrite(files, text)], result: undefined }));
  } else {
    const { list, name, field } = readProperty(path, await known(invocation));
    const kind = fields[list][field];
    if (kind === undefined) throw unknownProperty(path);
    const value = valueOf(kind, text, options.setRawBytes);
    await changeConfig(invocation, (files) => {
      const content = copyJsonObject(findEntry(files, list, name).content ?? {});
      setField(content, field.split('.'), value);
      return { writes: [entryWrite(files, list, name, content)], result: undefined };
    });
  }
  io.stdout.write(visibleLine(`Property "${path}" set.`));
}

function valueOf(kind: 'text' | 'boolean' | 'bytes', text: string, isRaw: boolean): JsonValue {
  if (kind === 'text') return text;
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new CliError(`"${text}" is not true or false`);
    return text === 'true';
  }
  if (isRaw) return Buffer.from(text).toString('base64');
  if (Buffer.from(text, 'base64').toString('base64') === text) return text;
  throw new CliError('the value is not base64', { hint: 'with --set-raw-bytes it is encoded' });
}

function setField(object: JsonObject, [first = '', ...rest]: readonly string[], value: JsonValue | undefined): void {
  if (rest.length === 0) {
    if (value === undefined) delete object[first];
    else object[first] = value;
    return;
  }
  const inner = object[first];
  const copy = isJsonObject(inner) ? copyJsonObject(inner) : {};
  setField(copy, rest, value);
  object[first] = copy;
}

/** `cl config unset`: removes a property, an entry or a list. */
export async function unsetProperty(invocation: Invocation<typeof noFlags>): Promise<void> {
  const {
    words: [path = ''],
    io,
  } = invocation;
  if (path === 'current-context') {
    await changeConfig(invocation, (files) => ({ writes: [currentContextWrite(files, '')], result: undefined }));
  } else if (Object.hasOwn(configLists, path)) {
    // It is a key of the table.
    const list = path as ConfigList;
    await changeConfig(invocation, (files) => ({
      writes: files.map((file) => ({ file, root: withEntries(file.root, list, new Map()) })),
      result: undefined,
    }));
  } else await unsetInEntry(invocation, path);
  io.stdout.write(visibleLine(`Property "${path}" unset.`));
}

async function unsetInEntry(invocation: Invocation<typeof noFlags>, path: string): Promise<void> {
  const { list, name, field } = readProperty(path, await known(invocation));
  await changeConfig(invocation, (files) => {
    const { content } = findEntry(files, list, name);
    if (!content) return { writes: [], result: undefined };
    const changed = field === '' ? undefined : copyJsonObject(content);
    if (changed) setField(changed, field.split('.'), undefined);
    return { writes: [entryWrite(files, list, name, changed)], result: undefined };
  });
}
