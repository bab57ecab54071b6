import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../src/cli/commands/run-cli.ts';

/** The outcome of a command line. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface ClInput {
  /** The standard input. */
  readonly input?: string;
  /** Variables besides HOME, which is the folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a command line in a folder with the client config `config`. */
export async function runCl(
  directory: string,
  words: readonly string[],
  { input = '', env = {} }: ClInput = {},
): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const { signal } = new AbortController();
  const io = { stdin: Readable.from([input]), stdout, stderr, env: { HOME: directory, ...env }, directory, signal };
  const code = await runCli(['--clientconfig', 'config', ...words], io);
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}
