import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { findConfigPaths } from '../../config-paths.ts';
import { adminConfigFile } from '../../up/admin-config-file.ts';
import { dataDirOf, planeArguments, usualFolder } from '../../up/known-planes.ts';
import type { doctorFlags } from './flags.ts';

/** A control plane of `cl up` on this machine. */
export interface Plane {
  readonly dataDir: string;
  /** The client config of its administrator. */
  readonly configFile: string;
  /** The flags, after a space, by which other commands find it. */
  readonly chosen: string;
}

type Question = Pick<Invocation<typeof doctorFlags>, 'options' | 'given' | 'io'>;

/** The control plane of the flags, or the one whose client config is used; undefined for others. */
export async function examinedPlane({ options, given, io }: Question): Promise<Plane | undefined> {
  if (given('name') || given('dataDir')) {
    const dataDir = dataDirOf(options, io);
    const configFile = await adminConfigFile(dataDir);
    if (configFile !== undefined) return { dataDir, configFile, chosen: planeArguments(options) };
    throw new CliError(`${dataDir} has no control plane`, { hint: '"cl up list" has those of this machine' });
  }
  const [configFile, ...others] = findConfigPaths(options, io).paths;
  if (configFile === undefined || others.length > 0 || options.server !== undefined) return undefined;
  const dataDir = dirname(configFile);
  const isPlane = existsSync(join(dataDir, 'pki')) && (await adminConfigFile(dataDir)) === configFile;
  const isUsual = relative(io.directory, dataDir) === usualFolder;
  const chosen = planeArguments({ name: undefined, dataDir: isUsual ? usualFolder : dataDir });
  return isPlane ? { dataDir, configFile, chosen } : undefined;
}
