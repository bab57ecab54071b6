import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../src/cli/commands/run-cli.ts';

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

/** The environment of a command besides the folder. */
export interface ClSetting {
  readonly directory: string;
  readonly stdin?: Readable;
  readonly env?: Readonly<Record<string, string>>;
  /** What a terminal has besides other streams. */
  readonly stdoutIs?: object;
  /** Finds the client config as a user does, without a flag. */
  readonly isUsual?: boolean;
}

/** The result of a command. */
export interface ClResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
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
  let [out, err] = ['', ''];
  stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
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
    out: () => out,
    err: () => err,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(out) ?? pattern.exec(err);
        if (found) return found;
        if (ended) throw new Error(`the command ended without ${String(pattern)}: ${out}${err}`);
        await Promise.race([once(stdout, 'data'), once(stderr, 'data'), code]);
      }
    },
    interrupt: () => {
      interrupted.abort();
      return code;
    },
  };
}

/** Runs `cl` to its end. */
export async function runCl(args: readonly string[], setting: ClSetting): Promise<ClResult> {
  const started = startCl(args, setting);
  const code = await started.code;
  // What is written last is read in the next turn.
  await new Promise(setImmediate);
  return { code, out: started.out(), err: started.err() };
}
