import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { CliIo } from '../cli-io.ts';

/** The prefixes of plugin names: plugins of `cl` take precedence over plugins of kubectl. */
const prefixes = identifierSets.map((set) => `${identifiersOf(set).commandLine}-`);

/** A program on the PATH that is a command. */
interface Plugin {
  readonly path: string;
  /** The name of its file. */
  readonly name: string;
  /** False if it cannot be run. */
  readonly isExecutable: boolean;
}

function foldersOf({ env }: Pick<CliIo, 'env'>): readonly string[] {
  return [...new Set((env['PATH'] ?? '').split(delimiter).filter(Boolean))];
}

/** The plugins in the order of the PATH. */
export async function findPlugins(io: Pick<CliIo, 'env'>): Promise<Plugin[]> {
  const found: Plugin[] = [];
  for (const folder of foldersOf(io)) {
    const names: string[] = await readdir(folder).catch(() => []);
    for (const name of names.toSorted()) {
      const path = join(folder, name);
      if (prefixes.some((prefix) => name.startsWith(prefix)) && (await isFile(path))) {
        found.push({ path, name, isExecutable: await isExecutable(path) });
      }
    }
  }
  return found;
}

/** The plugin with the longest name that words form, at least `least`, and the words after it. */
export async function pluginOf(
  words: readonly string[],
  least: number,
  io: Pick<CliIo, 'env'>,
): Promise<{ readonly path: string; readonly args: readonly string[] } | undefined> {
  const flag = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, flag < 0 ? words.length : flag);
  if (names.some((word) => /[/\\]/.test(word))) return undefined;
  for (let count = names.length; count >= least; count--) {
    const name = names
      .slice(0, count)
      .map((word) => word.replaceAll('-', '_'))
      .join('-');
    for (const prefix of prefixes) {
      for (const folder of foldersOf(io)) {
        const path = join(folder, prefix + name);
        if ((await isFile(path)) && (await isExecutable(path))) return { path, args: words.slice(count) };
      }
    }
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
