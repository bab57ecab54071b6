import { CliError } from '../cli-error.ts';
import type { ChildProgram } from './child-program.ts';
import { removeRunRecord, writeRunRecord } from './run-record.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than a start takes, even on a slow machine. */
const timeoutMs = 30_000;
const pollMs = 15;

/**
 * Waits until `check` succeeds. Throws with the reason in its log if the program ends or times out.
 */
async function untilReady(program: ChildProgram, check: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let last: unknown; !signal.aborted; ) {
    try {
      await check();
      return;
    } catch (error) {
      last = error;
    }
    const end = await Promise.race([program.exited, sleep(pollMs)]);
    if (end !== undefined) throw failed(program, `ended with ${end}`, last);
    if (performance.now() > deadline) throw failed(program, 'was not ready in time', last);
  }
}

function failed(program: ChildProgram, what: string, cause: unknown): CliError {
  const words = program.lastWords();
  return new CliError(`${program.name} ${what}${words && `: ${words}`}`, {
    hint: `its whole log is ${program.logFile}`,
    cause,
  });
}

/** A started process. */
interface RunPart {
  readonly name: string;
  readonly pid: number;
  /** The address, for the record. */
  readonly endpoint?: string;
  /** Resolves with the way the process ended. */
  readonly exited: Promise<string>;
  readonly logFile: string;
  /** Returns the reason of its end; '' if its log has none. */
  lastWords(): string;
  stop(): Promise<void>;
}

/** The processes of a run, and their record in the data directory. */
export class RunParts {
  readonly #dataDir: string;
  readonly #parts = new Set<RunPart>();
  readonly #failure = new AbortController();
  #auditLog: string | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Aborts when a part that was ready ends; the reason is an error that names it. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  /** Names the audit log for the record, which is written with the next part. */
  keepsAuditLog(path: string): void {
    this.#auditLog = path;
  }

  /** Adds a part that is ready. */
  async add(part: RunPart): Promise<void> {
    this.#parts.add(part);
    void part.exited.then((how) => this.#failure.abort(unexpectedEnd(part, how)));
    await this.#record();
  }

  /**
   * Adds a program when `check` succeeds; it is in the record before. If it ends or times out,
   * throws with the reason in its log, and it is not a part of the run.
   */
  async start(program: ChildProgram, check: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    this.#parts.add(program);
    await this.#record();
    try {
      await untilReady(program, check, signal);
    } catch (error) {
      await program.stop();
      this.#parts.delete(program);
      throw error;
    }
    await this.add(program);
  }

  /** Stops all parts in reverse order of starting, so that etcd is last, and removes the record. */
  async stop(): Promise<void> {
    for (const part of [...this.#parts].toReversed()) await part.stop();
    await removeRunRecord(this.#dataDir);
  }

  #record(): Promise<void> {
    return writeRunRecord(this.#dataDir, {
      supervisor: process.pid,
      parts: Object.fromEntries([...this.#parts].map(({ name, pid }) => [name, pid])),
      etcd: [...this.#parts].find(({ name }) => name === 'etcd')?.endpoint,
      auditLog: this.#auditLog,
    });
  }
}

function unexpectedEnd(part: RunPart, how: string): CliError {
  const words = part.lastWords();
  return new CliError(`${part.name} (process ${part.pid}) ended with ${how}${words && `: ${words}`}`, {
    hint: `its whole log is ${part.logFile}; the other parts were stopped`,
  });
}
