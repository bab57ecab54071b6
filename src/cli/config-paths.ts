import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { pathsIn } from '../outbound/config/find-client-config.ts';
import type { CliIo } from './cli-io.ts';
import type { GlobalOptions } from './global-flags.ts';
import { isOwnConfig } from './own-configs.ts';

/** The files of the client config, as far as there are any. */
interface ConfigPaths {
  /** The named files, of which some may not exist, or the first default file. */
  readonly paths: readonly string[];
  /**
   * True if it was found in the working directory: it must not read other files or run programs.
   */
  readonly isLocal: boolean;
  /** A file of the working directory that does not count, because `cl up` did not write it. */
  readonly ignored: string | undefined;
}

/**
 * Finds the client config: `--clientconfig`, the files in `$CLIENTCONFIG` or `$KUBECONFIG`, the
 * file that `cl up` of this user wrote below this directory, `~/.cl/config` or `~/.kube/config`.
 */
export function findConfigPaths({ clientconfig, kubeconfig }: GlobalOptions, io: CliIo): ConfigPaths {
  const flagged = clientconfig ?? kubeconfig;
  const named = flagged ? [flagged] : pathsOfEnvironment(io);
  if (named.length > 0) {
    return { paths: named.map((path) => resolve(io.directory, path)), isLocal: false, ignored: undefined };
  }
  const local = adminConfigNames.map((name) => join(io.directory, '.cl', name)).filter((path) => existsSync(path));
  const own = local.find((path) => isOwnConfig(path, io));
  if (own !== undefined) return { paths: [own], isLocal: true, ignored: undefined };
  const home = io.env['HOME'] ?? homedir();
  const found = ['.cl', '.kube'].map((folder) => join(home, folder, 'config')).find((path) => existsSync(path));
  return { paths: found === undefined ? [] : [found], isLocal: false, ignored: local[0] };
}

function pathsOfEnvironment({ env }: CliIo): readonly string[] {
  const variables = identifierSets.map((set) => identifiersOf(set).clientConfigVariable);
  return variables.map((variable) => pathsIn(env[variable])).find((paths) => paths.length > 0) ?? [];
}

/** The files that `cl up` writes, for both sets of identifiers. */
const adminConfigNames = identifierSets.map((set) => `admin.${identifiersOf(set).clientConfig}`);
