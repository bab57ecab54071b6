import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiTarget } from './api-target.ts';
import { executeStep } from './execute-step.ts';
import type { Placeholders } from './placeholders.ts';

const retryMs = 100;
const mostReads = 100;
/** How long a server may serve the schema of before, once the write is answered. */
const reloadMs = 500;

/** Waits until a new or changed definition is served. */
export async function settleDefinition(target: ApiTarget, path: string, placeholders: Placeholders): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const { status } = await executeStep(target, { method: 'GET', path }, placeholders);
    if (status === 200) break;
    await sleep(retryMs);
  }
  await sleep(reloadMs);
}
