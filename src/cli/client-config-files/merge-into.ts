import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { type ConfigChange, currentContextWrite, entryWrite } from './change-config.ts';
import { type ConfigList, configLists, currentContextOf, entriesOf } from './config-entries.ts';
import { type ConfigFile, mergeConfigFiles } from './read-config-files.ts';

/** The treatment of entries that are there, and of the current context. */
interface MergeOptions {
  /** Replaces entries that have the same names; otherwise they are refused. */
  readonly overwrite: boolean;
  /** Makes the current context of the added config the current one. */
  readonly use: boolean;
}

/** The files that a merge changed, as the end of a sentence. */
export function intoFiles(paths: readonly string[]): string {
  return paths.length === 0 ? '' : ` into ${paths.join(' and ')}`;
}

/**
 * Adds the entries of a client config to files. Results in the number of entries that are new or
 * replaced. Throws CliError for an entry whose name another one has.
 */
export function mergeInto(
  files: readonly ConfigFile[],
  added: JsonObject,
  { overwrite, use }: MergeOptions,
): ConfigChange<number> {
  const before = mergeConfigFiles(files);
  let present = files;
  let count = 0;
  const keep = ({ file, root }: { readonly file: ConfigFile; readonly root: JsonObject }): void => {
    present = present.map((each) => (each.path === file.path ? { ...each, root } : each));
  };
  for (const list of Object.keys(configLists) as ConfigList[]) {
    for (const [name, content] of entriesOf(added, list)) {
      const known = entriesOf(before, list).get(name);
      if (known && isDeepStrictEqual(known, content)) continue;
      if (known && !overwrite) {
        throw new CliError(`${list} has another entry "${name}"`, { hint: 'replace it with --overwrite' });
      }
      keep(entryWrite(present, list, name, content));
      count += 1;
    }
  }
  const current = currentContextOf(added);
  if (current !== '' && (use || currentContextOf(before) === '')) keep(currentContextWrite(present, current));
  const writes = present.flatMap((file, at) => {
    const original = files[at];
    return original && original.root !== file.root ? [{ file: original, root: file.root }] : [];
  });
  return { writes, result: count };
}
