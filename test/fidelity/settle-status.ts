import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse, ApiTarget } from './api-target.ts';
import { executeStep } from './execute-step.ts';
import { textAt } from './json-paths.ts';
import type { Placeholders } from './placeholders.ts';
import type { SequenceStep } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** Time without a write after which the controllers of a server count as done. */
const quietMs = 60;
/** More reads than any controller needs; one that never comes to rest is compared as it is then. */
const longestReads = 30;

/** Kinds whose status controllers inside the servers write, some time after the answer to a write. */
const followedKinds: ReadonlySet<string> = new Set(['customresourcedefinitions', 'apiservices']);

/** Waits until the controllers of a server have written the status of the object that a step has written. */
export async function settleStatus(
  target: ApiTarget,
  {
    step,
    subject,
    response,
  }: { readonly step: SequenceStep; readonly subject: Subject; readonly response: ApiResponse },
  placeholders: Placeholders,
): Promise<void> {
  if (!followedKinds.has(subject.info.resource) || !step.path.startsWith(subject.collection)) return;
  if (step.method === 'GET' || step.query?.['dryRun'] !== undefined || response.status >= 300) return;
  const name = textAt(response.body, ['metadata', 'name']);
  if (name === '') return;
  let last: string | undefined;
  for (let reads = 0; reads < longestReads; reads++) {
    // Later steps are filled with the version of the last read.
    const reading: SequenceStep = { method: 'GET', path: `${subject.collection}/${name}` };
    const { body } = await executeStep(target, reading, placeholders);
    const version = textAt(body, ['metadata', 'resourceVersion']);
    if (version === last) return;
    last = version;
    await sleep(quietMs);
  }
}
