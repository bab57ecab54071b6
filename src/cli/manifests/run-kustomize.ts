import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { identifiersOf } from '../../identifiers/identifiers.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** Programs that build, the first of which that is on the PATH is taken. */
const programs: readonly (readonly [program: string, command: string])[] = [
  ['kustomize', 'build'],
  [identifiersOf('kubernetes').commandLine, 'kustomize'],
];

/** Returns what `kustomize` builds from a folder or URL, with flags of its own. */
export async function runKustomize(folder: string, io: CliIo, flags: readonly string[] = []): Promise<Buffer> {
  for (const [program, command] of programs) {
    const built = await runProgram(program, [command, folder, ...flags], io);
    if (built) return built;
  }
  const names = programs.map(([program]) => `"${program}"`).join(' nor ');
  throw new CliError(`neither ${names} is on the PATH, and one of them is needed to build ${folder}`, {
    hint: 'install one, or give -f what it builds',
  });
}

/** The output of a program; undefined if it is not on the PATH. */
async function runProgram(program: string, args: readonly string[], io: CliIo): Promise<Buffer | undefined> {
  const child = spawn(program, args, {
    cwd: io.directory,
    env: { ...io.env },
    signal: io.signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null | undefined>((resolve, reject) => {
    child.on('error', (cause) => (isMissing(cause) ? resolve(undefined) : reject(cause)));
    child.on('close', resolve);
  });
  const [code, bytes, messages] = await Promise.all([ended, buffer(child.stdout), text(child.stderr)]);
  if (code === undefined) return undefined;
  if (code !== 0) throw new CliError(`${program} ${args.join(' ')} failed: ${messages.trim()}`);
  return bytes;
}

function isMissing(cause: Error): boolean {
  return 'code' in cause && cause.code === 'ENOENT';
}
