import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../package/package-root.ts';

/**
 * The path of an etcd binary, from the package's `hack/etcd.sh`, which may download one. If there
 * is none, throws an error that explains what to do.
 */
export async function findEtcd(): Promise<string> {
  const script = join(packageRoot(), 'hack', 'etcd.sh');
  try {
    const { stdout } = await promisify(execFile)('bash', [script]);
    return stdout.trim();
  } catch (error) {
    const problem = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(problem || `${script} found no etcd`, { cause: error });
  }
}
