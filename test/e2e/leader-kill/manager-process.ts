import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from '../../program-file.ts';

/** A running `cl-controller-manager`. */
export interface ManagerProcess {
  /** True once it was elected. */
  readonly leads: boolean;
  readonly pid: number | undefined;
  /** All that it printed. */
  readonly log: string;
  /** Ends it without a chance to release the lease, and returns the time. */
  kill(): Promise<number>;
  stop(): Promise<void>;
}

/** The times of the election: short, so that the test is. */
const electionFlags = [
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=300ms',
];

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
      return log.includes('elected as leader');
    },
    pid: child.pid,
    get log() {
      return log;
    },
    async kill() {
      await end('SIGKILL');
      return performance.now();
    },
    stop: () => end('SIGTERM'),
  };
}
