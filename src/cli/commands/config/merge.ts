import { resolve } from 'node:path';
import { CliError } from '../../cli-error.ts';
import { changeConfigFiles } from '../../client-config-files/change-config.ts';
import { currentContextOf } from '../../client-config-files/config-entries.ts';
import { intoFiles, mergeInto } from '../../client-config-files/merge-into.ts';
import { mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import type { mergeFlags } from './flags.ts';
import { flatten } from './view.ts';

/** `cl config merge`: adds the clusters, users and contexts of a file to the client config. */
export async function merge({ words: [path = ''], options, io }: Invocation<typeof mergeFlags>): Promise<void> {
  const files = await readConfigFiles([resolve(io.directory, path)]);
  if (files[0]?.exists !== true) throw new CliError(`${path} does not exist`);
  const added = await flatten(mergeConfigFiles(files));
  const { result: count, written } = await changeConfigFiles({ options, io }, (present) =>
    mergeInto(present, added, options),
  );
  io.stdout.write(visibleLine(`${count} entries of ${path} merged${intoFiles(written)}.`));
  const current = currentContextOf(added);
  if (options.use && current !== '') io.stdout.write(visibleLine(`Switched to context "${current}".`));
}
