import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setOwn } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';

/** The flags that give the content of a ConfigMap or Secret. */
interface DataSources {
  readonly fromFile: readonly string[];
  readonly fromLiteral?: readonly string[];
  readonly fromEnvFile?: readonly string[];
}

/** Reads the content by its keys; throws `CliError` for a key that is given twice. */
export async function readData(sources: DataSources, io: CliIo): Promise<ReadonlyMap<string, Buffer>> {
  const { fromFile, fromLiteral = [], fromEnvFile = [] } = sources;
  if (fromEnvFile.length > 0 && fromFile.length + fromLiteral.length > 0) {
    throw new CliError('from-env-file cannot be combined with from-file or from-literal');
  }
  const entries = [
    ...(await Promise.all(fromFile.map((source) => readFileSource(source, io)))).flat(),
    ...fromLiteral.map(readLiteral),
    ...(await Promise.all(fromEnvFile.map((file) => readEnvFile(file, io)))).flat(),
  ];
  const data = new Map<string, Buffer>();
  for (const [key, bytes] of entries) {
    if (data.has(key)) throw new CliError(`cannot add key "${key}", another key by that name already exists`);
    if (!/^[-._a-zA-Z0-9]+$/.test(key))
      throw new CliError(`"${key}" is not a valid key`, { hint: 'letters, digits, - . and _' });
    data.set(key, bytes);
  }
  return data;
}

type Entry = readonly [key: string, bytes: Buffer];

function readLiteral(text: string): Entry {
  const at = text.indexOf('=');
  if (at < 1) throw new CliError(`invalid literal source ${text}, expected key=value`);
  const value = text.slice(at + 1).replace(/^(["'])(.*)\1$/s, '$2');
  return [text.slice(0, at), Buffer.from(value)];
}

async function readFileSource(source: string, io: CliIo): Promise<Entry[]> {
  const at = source.indexOf('=');
  const file = at < 0 ? source : source.slice(at + 1);
  const path = resolve(io.directory, file);
  if (at > 0) return [[source.slice(0, at), await read(path, file)]];
  if (!(await stat(path).catch(unreadable(file))).isDirectory()) return [[basename(file), await read(path, file)]];
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Promise.all(names.toSorted().map(async (name): Promise<Entry> => [name, await read(join(path, name), name)]));
}

/** Lines of `KEY=VALUE`; a line without `=` takes the value of the environment. */
async function readEnvFile(file: string, io: CliIo): Promise<Entry[]> {
  const text = (await read(resolve(io.directory, file), file)).toString('utf8').replace(/^\ufeff/, '');
  const lines = text.split(/\r?\n/).map((line) => line.trimStart());
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line): Entry[] => {
      const at = line.indexOf('=');
      const key = at < 0 ? line : line.slice(0, at);
      const value = at < 0 ? io.env[key] : line.slice(at + 1);
      return value === undefined ? [] : [[key, Buffer.from(value)]];
    });
}

function read(path: string, file: string): Promise<Buffer> {
  return readFile(path).catch(unreadable(file));
}

function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new CliError(`${file} cannot be read`, { hint: cause instanceof Error ? cause.message : '', cause });
  };
}

/** The content as `data` and, for what is not text, `binaryData` of a ConfigMap. */
export function configMapData(data: ReadonlyMap<string, Buffer>) {
  const [texts, binaries]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const [key, bytes] of data) {
    if (isUtf8(bytes)) setOwn(texts, key, bytes.toString('utf8'));
    else setOwn(binaries, key, bytes.toString('base64'));
  }
  return {
    ...(Object.keys(texts).length > 0 ? { data: texts } : {}),
    ...(Object.keys(binaries).length > 0 ? { binaryData: binaries } : {}),
  };
}

/** The content as `data` of a Secret. */
export function secretData(data: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries([...data].map(([key, bytes]) => [key, bytes.toString('base64')]));
}
