import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestServer } from '../../../src/testing/index.ts';
import { type Outcome, runCl } from './run-cl.ts';

/** Runs command lines against one server, in a folder of their own. */
export interface ClRunner {
  readonly directory: string;
  /** The words of a line, split at spaces, and then the words of `more` as they are. */
  run(line: string, ...more: readonly string[]): Promise<Outcome>;
  /** Runs a line whose standard input is a text. */
  pipe(input: string, line: string, ...more: readonly string[]): Promise<Outcome>;
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
  const pipe: ClRunner['pipe'] = (input, line, ...more) =>
    runCl(directory, [...line.split(' ').filter(Boolean), ...more], { input, env });
  return {
    directory,
    pipe,
    run: (line, ...more) => pipe('', line, ...more),
    write,
    remove: () => rm(directory, { recursive: true }),
  };
}
