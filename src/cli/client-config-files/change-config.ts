import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Invocation } from '../command.ts';
import { findConfigPaths } from '../config-paths.ts';
import { type ConfigList, currentContextOf, entriesOf, withEntry } from './config-entries.ts';
import { type ConfigFile, readConfigFiles } from './read-config-files.ts';
import { withConfigLocks, writeConfigFile } from './write-config-file.ts';

type Caller = Pick<Invocation, 'options' | 'io'>;

/** The files of the client config: the ones named, or the usual one, which may not exist. */
export function configFilePaths({ options, io }: Caller): readonly string[] {
  const { paths } = findConfigPaths(options, io);
  return paths.length > 0 ? paths : [join(io.env.HOME ?? homedir(), '.kube', 'config')];
}

/** An entry of a client config, and the file that it is in. */
interface FoundEntry {
  readonly file: ConfigFile;
  /** The content of the file with the entry; undefined if no file has it: then `file` gets it. */
  readonly content: JsonObject | undefined;
}

/** Finds an entry in the files. */
export function findEntry(files: readonly ConfigFile[], list: ConfigList, name: string): FoundEntry {
  const file = files.find(({ root }) => entriesOf(root, list).has(name)) ?? defaultFile(files);
  return { file, content: entriesOf(file.root, list).get(name) };
}

/** The file of new entries: the first that exists, or else the last. */
function defaultFile(files: readonly ConfigFile[]): ConfigFile {
  const found = files.find(({ exists }) => exists) ?? files.at(-1);
  if (!found) throw new RangeError('a client config has a file');
  return found;
}

/** A change of the files: the file, and what it becomes. */
export interface ConfigChange<Result> {
  readonly writes: readonly { readonly file: ConfigFile; readonly root: JsonObject }[];
  readonly result: Result;
}

/** The outcome of a change, and the paths of the files that were written. */
interface Changed<Result> {
  readonly result: Result;
  readonly written: readonly string[];
}

/**
 * Reads the files and writes those that `change` changes, while no other program does. `change` is
 * called again when it shows which files have to be locked.
 */
export async function changeConfig<Result>(
  caller: Caller,
  change: (files: readonly ConfigFile[]) => ConfigChange<Result> | Promise<ConfigChange<Result>>,
): Promise<Result> {
  const { result } = await changeConfigFiles(caller, change);
  return result;
}

/** Does so, and returns the paths of the files that were written. */
export async function changeConfigFiles<Result>(
  caller: Caller,
  change: (files: readonly ConfigFile[]) => ConfigChange<Result> | Promise<ConfigChange<Result>>,
): Promise<Changed<Result>> {
  const paths = configFilePaths(caller);
  const { signal } = caller.io;
  const tryChange = async (locked: readonly string[]): Promise<readonly string[] | Changed<Result>> => {
    const { writes, result } = await change(await readConfigFiles(paths));
    const missing = writes.map(({ file }) => file.path).filter((path) => !locked.includes(path));
    if (missing.length > 0) return missing;
    for (const { file, root } of writes) await writeConfigFile(file.path, root);
    return { result, written: writes.map(({ file }) => file.path) };
  };
  for (let locked: readonly string[] = []; ; ) {
    const outcome = await withConfigLocks(locked, () => tryChange(locked), { signal });
    if ('result' in outcome) return outcome;
    locked = [...locked, ...outcome];
  }
}

/** Sets an entry where it is, or in the file of new entries; undefined removes it. */
export function entryWrite(
  files: readonly ConfigFile[],
  list: ConfigList,
  name: string,
  content: JsonObject | undefined,
): ConfigChange<undefined>['writes'][number] {
  const { file } = findEntry(files, list, name);
  return { file, root: withEntry(file.root, list, name, content) };
}

/** Chooses the current context in the file that has one, or in the file of new entries. */
export function currentContextWrite(
  files: readonly ConfigFile[],
  name: string,
): ConfigChange<undefined>['writes'][number] {
  const file = files.find(({ root }) => currentContextOf(root) !== '') ?? defaultFile(files);
  return { file, root: { ...file.root, 'current-context': name } };
}
