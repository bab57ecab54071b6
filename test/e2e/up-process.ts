import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';

const script = programFile('cl');

/** A running `cl up`. */
export class UpProcess {
  readonly child: ChildProcess;
  /** What it printed. */
  out = '';
  err = '';

  constructor(directory: string, args: readonly string[]) {
    this.child = spawn(process.execPath, [script, 'up', ...args], { cwd: directory });
    this.child.stdout?.on('data', (chunk) => {
      this.out += String(chunk);
    });
    this.child.stderr?.on('data', (chunk) => {
      this.err += String(chunk);
    });
  }

  async ready(): Promise<this> {
    await until('cl up is ready', () => {
      assert.equal(this.child.exitCode, null, `cl up ended: ${this.err}`);
      return this.out.includes('Ctrl-C');
    });
    return this;
  }

  /** Sends a signal and answers the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
    return this.child.exitCode;
  }
}
