import { attachToPod, execInPod, type ProgramStreams } from '../../../client/streams/run-in-pod.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Session } from '../../find-type.ts';
import { isTerminal, makeRaw, sizesOf } from './terminal.ts';
import { type Readable, Transform } from 'node:stream';

/** A program in a container, and how the user is connected to it. */
interface ContainerProgram {
  readonly pod: string;
  readonly container: string;
  /** The program to run; undefined: the container's main program. */
  readonly command?: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  /** Keys that leave a terminal. */
  readonly detachKeys?: readonly string[];
}

/** Reports whether a program gets a terminal, as the user wants and standard input allows. */
function hasTerminal(io: CliIo, { stdin, tty, quiet }: Omit<ContainerProgram, 'pod' | 'container'>): boolean {
  if (!stdin || !tty) return false;
  if (isTerminal(io.stdin)) return true;
  if (!quiet) {
    io.stderr.write('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  }
  return false;
}

/** Runs a program and connects it to the streams of the command. Throws its exit code, if not 0. */
export async function runInContainer({ client, io }: Session, program: ContainerProgram): Promise<void> {
  const { pod, container, command, stdin, quiet, detachKeys = [] } = program;
  const isInteractive = hasTerminal(io, program);
  // The streams of a main program are as it was started.
  const tty = command ? isInteractive : program.tty;
  const ended = new AbortController();
  const restore = isInteractive ? makeRaw(io.stdin) : () => {};
  const watched = isInteractive ? detachOn(detachKeys, io.stdin, () => ended.abort()) : undefined;
  const streams: ProgramStreams = {
    container,
    stdout: io.stdout,
    ...(stdin ? { stdin: watched ?? io.stdin } : {}),
    ...(tty ? { tty } : { stderr: io.stderr }),
    ...(isInteractive ? { sizes: sizesOf(io.stdout, ended.signal) } : {}),
    signal: AbortSignal.any([io.signal, ended.signal]),
  };
  try {
    const code = await (command ? execInPod(client, pod, { ...streams, command }) : attachToPod(client, pod, streams));
    if (code === 0) return;
    if (!quiet) io.stderr.write(`command terminated with exit code ${code}\n`);
    throw new CliError('the program failed', { exitCode: code, silent: true });
  } catch (error) {
    // The user left the terminal; the program goes on.
    if (!ended.signal.aborted) throw error;
  } finally {
    ended.abort();
    if (watched) io.stdin.unpipe(watched).pause();
    restore();
  }
}

/** The bits of a letter that are kept in its control code. */
const controlBits = 0x1f;

/** The bytes of keys as users write them: `ctrl-p`, `q`. */
function bytesOf(keys: readonly string[]): Buffer {
  return Buffer.concat(
    keys.map((key) => {
      const [, letter] = /^ctrl-([a-z@[\\\]^_])$/i.exec(key) ?? [];
      if (letter !== undefined) return Buffer.of(letter.toUpperCase().charCodeAt(0) & controlBits);
      if (key.length === 1) return Buffer.from(key);
      throw new CliError(`"${key}" is not a key`, { hint: 'write keys as ctrl-p,ctrl-q' });
    }),
  );
}

/** Standard input that calls `leave` when these keys are typed in sequence. */
function detachOn(keys: readonly string[], stdin: Readable, leave: () => void): Transform {
  const wanted = bytesOf(keys);
  let typed: Buffer = Buffer.alloc(0);
  const watched = new Transform({
    transform(data: Buffer, _encoding, settle) {
      typed = Buffer.concat([typed, data]);
      const isTyped = wanted.length > 0 && typed.includes(wanted);
      typed = typed.subarray(Math.max(0, typed.length - wanted.length));
      settle(null, data);
      if (isTyped) leave();
    },
  });
  return stdin.pipe(watched);
}
