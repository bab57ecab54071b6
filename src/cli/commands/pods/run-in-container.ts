import { attachToPod, execInPod, type ProgramStreams } from '../../../client/streams/run-in-pod.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Session } from '../../find-type.ts';
import { detachOn } from './detach-keys.ts';
import { isTerminal, makeRaw, sizesOf } from './terminal.ts';

/** A program in a container, and how the user is connected to it. */
interface ContainerProgram {
  readonly pod: string;
  readonly container: string;
  /** Undefined: the main program of the container. */
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
