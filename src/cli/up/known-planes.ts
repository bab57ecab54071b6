import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { shellWord } from '../shell-word.ts';

/** The choice of a control plane on this machine: by name, or by its data folder. */
interface PlaneChoice {
  readonly name: string | undefined;
  readonly dataDir: string;
}

/** The data folder of a control plane without a name. */
export const usualFolder = '.cl';

/** The data folder of a control plane: the folder of its name, or the given folder. */
export function dataDirOf({ name, dataDir }: PlaneChoice, io: CliIo): string {
  if (name === undefined) return resolve(io.directory, dataDir);
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return join(planesFolder(io), name);
  throw new CliError(`${JSON.stringify(name)} is no name of a control plane`, {
    hint: 'use lower-case letters, digits and "-"',
  });
}

/** The flags, after a space, by which a command finds the same control plane; '' for the usual. */
export function planeArguments({ name, dataDir }: PlaneChoice): string {
  if (name !== undefined) return ` --name=${name}`;
  return dataDir === usualFolder ? '' : ` --data-dir=${shellWord(dataDir)}`;
}

/** The data folders of all named control planes, and of the one below this directory, by name. */
export async function knownPlanes(io: CliIo): Promise<ReadonlyMap<string, string>> {
  const folder = planesFolder(io);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return new Map([
    ['', resolve(io.directory, usualFolder)],
    ...names.map((name) => [name, join(folder, name)] as const),
  ]);
}

function planesFolder(io: CliIo): string {
  return join(io.env['HOME'] ?? homedir(), '.cl', 'planes');
}
