import { configFilePaths } from '../../client-config-files/change-config.ts';
import { type ConfigList, entriesOf } from '../../client-config-files/config-entries.ts';
import { mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';

/** The names of the entries of a list of the client config. */
export async function namesInConfig(caller: Pick<Invocation, 'options' | 'io'>, list: ConfigList): Promise<string[]> {
  return [...entriesOf(mergeConfigFiles(await readConfigFiles(configFilePaths(caller))), list).keys()];
}
