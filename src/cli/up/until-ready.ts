import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProgram } from './child-program.ts';
import { CliError } from '../cli-error.ts';

/** Far longer than a start takes, even on a slow machine. */
const timeoutMs = 30_000;
const pollMs = 15;

/**
 * Waits until `check` succeeds. Throws with the last log lines if the program ends or times out.
 */
export async function untilReady(
  program: ChildProgram,
  check: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
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
  return new CliError(`${program.name} ${what}: ${program.lastWords()}`, {
    hint: `its log is ${program.logFile}`,
    cause,
  });
}
