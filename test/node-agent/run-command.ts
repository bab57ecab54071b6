import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** The streams of a command; those that the client did not ask for are absent. */
export interface CommandStreams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Gets the result at the end. */
  readonly error: Writable;
}

/** Runs a command of this machine in place of one in a container. */
export function runCommand(command: readonly string[], { stdin, stdout, stderr, error }: CommandStreams): void {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: tmpdir(), stdio: ['pipe', 'pipe', 'pipe'] });
  const finish = (status: object): void => {
    stdout?.end();
    stderr?.end();
    error.end(JSON.stringify(status));
  };
  child.stdin.on('error', () => {});
  if (stdin) stdin.pipe(child.stdin);
  else child.stdin.end();
  if (stdout) child.stdout.pipe(stdout, { end: false });
  if (stderr) child.stderr.pipe(stderr, { end: false });
  child.on('error', ({ message }) => finish({ metadata: {}, status: 'Failure', reason: 'InternalError', message }));
  child.on('close', (code) => finish(code === 0 ? { metadata: {}, status: 'Success' } : failed(code ?? 1)));
}

function failed(code: number): object {
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
