import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../src/cli/commands/run-cli.ts';
import type { TestServer } from '../../../src/testing/index.ts';

/** The result of a command line. */
export interface ClResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs command lines against one server, in a folder of their own. */
export interface ClRunner {
  readonly directory: string;
  /** The words of a line, split at spaces, and then the words of `more` as they are. */
  run(line: string, ...more: readonly string[]): Promise<ClResult>;
  /** Runs a line whose standard input is a text. */
  pipe(input: string, line: string, ...more: readonly string[]): Promise<ClResult>;
  write(file: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes a folder with the client config of a server; `env` is added to the environment of the lines. */
export async function createClRunner(
  server: TestServer,
  env: Readonly<Record<string, string>> = {},
): Promise<ClRunner> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-'));
  const write = (file: string, text: string) => writeFile(path.join(directory, file), text, { mode: 0o600 });
  await write('config', server.clientConfig);
  const pipe: ClRunner['pipe'] = async (input, line, ...more) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const io = { stdin: Readable.from([input]), stdout, stderr, env: { HOME: directory, ...env }, directory, signal };
    const words = line.split(' ').filter(Boolean);
    const code = await runCli(['--clientconfig', 'config', ...words, ...more], io);
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  };
  return {
    directory,
    pipe,
    run: (line, ...more) => pipe('', line, ...more),
    write,
    remove: () => rm(directory, { recursive: true }),
  };
}
