import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** Returns what the program `kustomize` of the PATH builds from a folder or URL. */
export async function runKustomize(folder: string, io: CliIo): Promise<Buffer> {
  const child = spawn('kustomize', ['build', folder], {
    cwd: io.directory,
    env: { ...io.env },
    signal: io.signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [code, bytes, messages] = await Promise.all([
    ended.catch(notStarted),
    buffer(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new CliError(`kustomize build ${folder} failed: ${messages.trim()}`);
  return bytes;
}

function notStarted(cause: unknown): never {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  if (!isMissing) throw cause;
  throw new CliError('-k needs the program "kustomize", which is not on the PATH', {
    hint: 'install it, or give -f what it builds',
    cause,
  });
}
