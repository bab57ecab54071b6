import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { changeConfigFiles } from '../../client-config-files/change-config.ts';
import { currentContextOf, entriesOf, withEntries } from '../../client-config-files/config-entries.ts';
import { intoFiles, mergeInto } from '../../client-config-files/merge-into.ts';
import { type ConfigFile, mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import { printYaml } from '../../printers/yaml.ts';
import { adminConfigFile } from '../../up/admin-config-file.ts';
import { dataDirOf, planeArguments } from '../../up/known-planes.ts';
import type { planeConfigFlags } from './flags.ts';

/** `cl up kubeconfig`: prints the client config of a plane, or merges it into the user's. */
export async function planeConfig({ options, io }: Invocation<typeof planeConfigFlags>): Promise<void> {
  if (!options.merge && (options.use || options.overwrite)) {
    throw new CliError('--use and --overwrite need --merge', { hint: 'add --merge, or leave them out' });
  }
  const dataDir = dataDirOf(options, io);
  const path = await adminConfigFile(dataDir);
  if (path === undefined) {
    throw new CliError(`${dataDir} has no control plane`, { hint: `start one with "cl up${planeArguments(options)}"` });
  }
  const root = mergeConfigFiles(await readConfigFiles([path]));
  const config = options.name === undefined ? root : renamed(root, options.name);
  if (!options.merge) {
    io.stdout.write(printYaml(config));
    return;
  }
  const { result: count, written } = await changeConfigFiles({ options, io }, (files) => {
    // Each start makes new credentials for the same server.
    const overwrite = options.overwrite || isSameServer(files, config);
    return mergeInto(files, config, { overwrite, use: options.use });
  });
  const context = currentContextOf(config);
  io.stdout.write(visibleLine(`${count} entries of context "${context}" merged${intoFiles(written)}.`));
  if (options.use) io.stdout.write(visibleLine(`Switched to context "${context}".`));
}

/** Planes have the same names for their entries; in one file each needs its own. */
function renamed(root: JsonObject, name: string): JsonObject {
  const context = { cluster: name, user: `admin@${name}` };
  const [cluster = {}] = entriesOf(root, 'clusters').values();
  const [user = {}] = entriesOf(root, 'users').values();
  const withCluster = withEntries(root, 'clusters', new Map([[context.cluster, cluster]]));
  const withUser = withEntries(withCluster, 'users', new Map([[context.user, user]]));
  return { ...withEntries(withUser, 'contexts', new Map([[name, context]])), 'current-context': name };
}

function isSameServer(files: readonly ConfigFile[], config: JsonObject): boolean {
  const present = entriesOf(mergeConfigFiles(files), 'clusters');
  return [...entriesOf(config, 'clusters')].every(([name, cluster]) => {
    const known = present.get(name);
    return known !== undefined && stringAt(known, 'server') === stringAt(cluster, 'server');
  });
}
