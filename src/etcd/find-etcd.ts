import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * The path of an etcd binary, from the package's `hack/etcd.sh`, which may have to fetch one first. Throws an error
 * that says what to do where there is none.
 */
export async function findEtcd(): Promise<string> {
  const script = join(packageRoot(), 'hack', 'etcd.sh');
  try {
    const { stdout } = await promisify(execFile)('bash', [script]);
    return stdout.trim();
  } catch (error) {
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(told || `${script} found no etcd`, { cause: error });
  }
}

/** This file is at different depths in the source tree and in what is built from it. */
function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('no package.json above this file');
    directory = parent;
  }
  return directory;
}
