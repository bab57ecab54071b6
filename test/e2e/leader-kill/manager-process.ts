import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from '../../program-file.ts';

/** A running `cl-controller-manager`. */
export interface ManagerProcess {
  /** True while it leads, as far as it says. */
  readonly leads: boolean;
  /** True once it has lost the lease. */
  readonly hasLost: boolean;
  readonly pid: number | undefined;
  /** All that it printed. */
  readonly log: string;
  /** Stops it as it is, until it is resumed. */
  pause(): void;
  resume(): void;
  /** Ends it without a chance to release the lease. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The times of the election. Renewals may take long: a leader that loses its lease on a busy machine begins again with
 * all informers, and loses it again.
 */
const electionFlags = [
  '--leader-elect-lease-duration=20s',
  '--leader-elect-renew-deadline=18s',
  '--leader-elect-retry-period=500ms',
];

/** In the line of the log about the end of a term. */
const lost = '"outcome":"lost"';

/** Starts a controller manager with the client config in a file. */
export function startManager(configFile: string, flags: readonly string[]): ManagerProcess {
  const args = [`--clientconfig=${configFile}`, '--health-port=0', ...electionFlags, ...flags];
  const child: ChildProcess = spawn(process.execPath, [programFile('cl-controller-manager'), ...args]);
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return {
    get leads() {
      return log.lastIndexOf('elected as leader') > log.lastIndexOf(lost);
    },
    get hasLost() {
      return log.includes(lost);
    },
    pid: child.pid,
    get log() {
      return log;
    },
    pause() {
      child.kill('SIGSTOP');
    },
    resume() {
      child.kill('SIGCONT');
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
