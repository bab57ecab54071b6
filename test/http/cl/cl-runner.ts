import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../src/cli/commands/run-cli.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';

/** The outcome of a command line. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface StartedCl {
  /** The exit code. */
  readonly code: Promise<number>;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the match when stdout or stderr has a text. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** As Ctrl-C does. */
  readonly interrupt: () => Promise<number>;
}

/** The environment of a command. */
export interface ClSetting {
  /** Its working directory and HOME. */
  readonly directory: string;
  readonly stdin?: Readable;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What a terminal has besides other streams. */
  readonly stdoutIs?: object;
  /** Finds the client config as a user does, without a flag. */
  readonly isUsual?: boolean;
}

/** Runs command lines against one server, in a folder of their own. */
export interface ClRunner {
  readonly directory: string;
  /** The first text is split at spaces, the others are words as they are. */
  run(...line: readonly string[]): Promise<Outcome>;
  /** Runs a line whose standard input is a text. */
  pipe(input: string, ...line: readonly string[]): Promise<Outcome>;
  /** The same runner, with more variables in the environment. */
  with(env: Readonly<Record<string, string>>): ClRunner;
  write(file: string, text: string): Promise<void>;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** A server, and `cl` as its administrator. */
export interface ClServer extends ClRunner, AsyncDisposable {
  readonly server: TestServer;
}

/** Writes the client config that commands in a folder use. */
export async function writeConfig(directory: string, text: string): Promise<void> {
  await writeFile(path.join(directory, 'config'), text, { mode: 0o600 });
}

/** Starts `cl` in this process, with the client config in its folder. */
export function startCl(
  args: readonly string[],
  { directory, stdin, env, stdoutIs = {}, isUsual = false }: ClSetting,
): StartedCl {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  Object.assign(stdout, stdoutIs);
  const [out, err] = [collect(stdout), collect(stderr)];
  const interrupted = new AbortController();
  const code = runCli([...(isUsual ? [] : ['--clientconfig', 'config']), ...args], {
    stdin: stdin ?? Readable.from([]),
    stdout,
    stderr,
    env: { HOME: directory, PATH: process.env.PATH, ...env },
    directory,
    signal: interrupted.signal,
  });
  let ended = false;
  const finish = (): void => void (ended = true);
  code.then(finish, finish);
  return {
    code,
    out,
    err,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(out()) ?? pattern.exec(err());
        if (found) return found;
        if (ended) throw new Error(`the command ended without ${String(pattern)}: ${out()}${err()}`);
        await Promise.race([once(stdout, 'data'), once(stderr, 'data'), code]);
      }
    },
    interrupt: () => {
      interrupted.abort();
      return code;
    },
  };
}

/** The text of a stream so far. */
function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Runs `cl` to its end. */
export async function runCl(args: readonly string[], setting: ClSetting): Promise<Outcome> {
  const started = startCl(args, setting);
  const code = await started.code;
  // What is written last is read in the next turn.
  await new Promise(setImmediate);
  return { code, out: started.out(), err: started.err() };
}

/** Makes a folder with the client config of a server. */
export async function createClRunner({ clientConfig }: TestServer): Promise<ClRunner> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-'));
  await writeConfig(directory, clientConfig);
  return runnerIn(directory, {});
}

function runnerIn(directory: string, env: Readonly<Record<string, string>>): ClRunner {
  const pipe: ClRunner['pipe'] = (input, first = '', ...more) => {
    const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
    return runCl([...first.split(' ').filter(Boolean), ...more], { directory, stdin, env });
  };
  return {
    directory,
    pipe,
    run: (...line) => pipe('', ...line),
    with: (more) => runnerIn(directory, { ...env, ...more }),
    write: (file, text) => writeFile(path.join(directory, file), text, { mode: 0o600 }),
    remove: () => rm(directory, { recursive: true }),
  };
}

/** Starts a server and makes a folder with the client config of its administrator. */
export async function startClServer(options: TestServerOptions = {}): Promise<ClServer> {
  const server = await startServer(options);
  const runner = await createClRunner(server);
  return {
    server,
    ...runner,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await runner.remove();
    },
  };
}
