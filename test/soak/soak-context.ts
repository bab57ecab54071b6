import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../robustness/random.ts';
import { becomesTrue } from '../robustness/until.ts';
import type { ObjectHistory } from './object-history.ts';
import type { SoakTarget } from './soak-client.ts';

/** What the load of a soak shares. */
export interface SoakContext {
  readonly target: SoakTarget;
  readonly history: ObjectHistory;
  readonly random: Random;
  /** Aborts when the load ends. */
  readonly signal: AbortSignal;
  /** Counts what was done, by kind. */
  readonly count: (kind: string) => void;
  /** Reports a wrong answer. */
  readonly fault: (message: string) => void;
}

/** Runs a step again and again, with a pause before each, until the load ends. A step that rejects is a fault. */
export async function repeat(
  context: SoakContext,
  name: string,
  pauseMs: number,
  step: () => Promise<void>,
): Promise<void> {
  const { signal, random, fault } = context;
  while (!signal.aborted) {
    await sleep(random.next() * 2 * pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await step().catch((error: unknown) => {
      if (!signal.aborted) fault(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

/** Waits until the model knows a revision; reports a fault where it never does. */
export async function modelReaches({ history, signal, fault }: SoakContext, revision: number): Promise<boolean> {
  const reached = await becomesTrue(() => history.revision >= revision || signal.aborted);
  if (!reached) fault(`the server answered with revision ${revision}, which etcd has not`);
  return reached && history.revision >= revision;
}
