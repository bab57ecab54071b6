import { everyVersion } from '../../http/every-version.ts';
import { startServer } from '../../../src/testing/index.ts';
import { LargeWriter, titleOf } from './large-writes.ts';
import { everyLargeWrite } from './select-writes.ts';

/** What `make robustness ARGS="..."` selects this by, as it selects scenarios. */
export const largeWritesName = 'when bodies are large';

/** Problems that are printed; one cause shows in many fields. */
const shownProblems = 30;

/** Sends every large write, one after the other, and prints what is wrong. Returns whether nothing is. */
export async function runLargeWrites(): Promise<boolean> {
  const began = performance.now();
  await using server = await startServer({ ...everyVersion, store: 'memory' });
  using writer = new LargeWriter(server);
  const problems: string[] = [];
  const all = everyLargeWrite();
  for (const write of all) {
    const problem = await writer.problemOf(write);
    if (problem !== undefined) problems.push(`${titleOf(write)}: ${problem}`);
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  const verdict = problems.length === 0 ? 'ok  ' : 'FAIL';
  console.log(`${verdict}  ${largeWritesName} (${seconds} s): ${all.length} writes, ${problems.length} with problems`);
  for (const problem of problems.slice(0, shownProblems)) console.log(`      ours large-bodies: ${problem}`);
  if (problems.length > shownProblems) console.log(`      and ${problems.length - shownProblems} more`);
  return problems.length === 0;
}
