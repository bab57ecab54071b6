import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { type Outcome, runCl } from './run-cl.ts';

/** Runs command lines. */
interface ClRunner {
  cl(...args: readonly string[]): Promise<Outcome>;
  /** Runs a command line that reads a text. */
  pipe(text: string, ...args: readonly string[]): Promise<Outcome>;
}

/** A server, and `cl` as its administrator in a folder of its own. */
export interface ClServer extends ClRunner, AsyncDisposable {
  readonly server: TestServer;
  readonly directory: string;
  /** Runs command lines with more variables in the environment. */
  with(variables: Readonly<Record<string, string>>): ClRunner;
}

/** Starts a server and makes a folder with the client config of its administrator. */
export async function startClServer(options: TestServerOptions = {}): Promise<ClServer> {
  const server = await startServer(options);
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-inspect-'));
  await writeFile(path.join(directory, 'config'), server.clientConfig, { mode: 0o600 });
  const runner = (variables: Readonly<Record<string, string>>): ClRunner => {
    const env = { PATH: process.env.PATH, ...variables };
    const pipe = (input: string, ...args: readonly string[]): Promise<Outcome> =>
      runCl(directory, args, { input, env });
    return { pipe, cl: (...args) => pipe('', ...args) };
  };
  return {
    server,
    directory,
    with: runner,
    ...runner({}),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
}
