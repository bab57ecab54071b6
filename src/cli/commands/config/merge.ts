import { isDeepStrictEqual } from 'node:util';
import { resolve } from 'node:path';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import {
  changeConfig,
  type ConfigChange,
  currentContextWrite,
  entryWrite,
} from '../../client-config-files/change-config.ts';
import { type ConfigList, configLists, currentContextOf, entriesOf } from '../../client-config-files/config-entries.ts';
import { type ConfigFile, mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import type { mergeFlags } from './flags.ts';
import { flatten } from './view.ts';

/** `cl config merge`: adds the clusters, users and contexts of a file to the client config. */
export async function merge({ words: [path = ''], options, io }: Invocation<typeof mergeFlags>): Promise<void> {
  const files = await readConfigFiles([resolve(io.directory, path)]);
  if (files[0]?.exists !== true) throw new CliError(`${path} does not exist`);
  const added = await flatten(mergeConfigFiles(files));
  const count = await changeConfig({ options, io }, (present) => mergeInto(present, added, options));
  io.stdout.write(`${count} entries of ${path} merged.\n`);
  const current = currentContextOf(added);
  if (options.use && current !== '') io.stdout.write(`Switched to context "${current}".\n`);
}

function mergeInto(
  files: readonly ConfigFile[],
  added: JsonObject,
  { overwrite, use }: { readonly overwrite: boolean; readonly use: boolean },
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
