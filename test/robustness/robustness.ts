// `make robustness`: every scenario, one after the other. Arguments select scenarios by parts of their names.
import { parseArgs } from 'node:util';
import { amplificationName, runAmplification } from './amplification/run-amplification.ts';
import { largeWritesName, runLargeWrites } from './large-bodies/run-large-writes.ts';
import { seedOfRun } from './random.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';

/** Findings of one scenario that are printed; one broken promise shows in many places. */
const shownFindings = 10;
/** Less than this of what it wanted, and a run proves nothing: the faults would meet a server at rest. */
const minimumShare = 0.2;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' } },
});
const seed = seedOfRun();
const wanted = positionals.filter((argument) => argument !== '');
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((part) => name.includes(part));
const selected = scenarios.filter(({ name }) => isWanted(name));
console.log(`ROBUSTNESS_SEED=${seed}: ${selected.length} scenarios`);
let bad = 0;
for (const scenario of selected) {
  const began = performance.now();
  const options = { seed, scale: Number(values.scale), minimumShare };
  const outcome = await runScenario(scenario, options).catch((error: unknown) => {
    console.log(`FAIL  ${scenario.name}:`, error);
    return undefined;
  });
  if (!outcome) {
    bad++;
    continue;
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${verdict(outcome)}  ${scenario.name} (${seconds} s): ${summary(outcome)}`);
  for (const { promise, message } of outcome.findings.slice(0, shownFindings)) {
    console.log(`      ${outcome.label} ${promise}: ${message}`);
  }
  if (outcome.findings.length > shownFindings) console.log(`      and ${outcome.findings.length - shownFindings} more`);
  if (outcome.findings.length > 0 || outcome.void !== undefined) bad++;
}
if (isWanted(largeWritesName) && !(await runLargeWrites())) bad++;
if (isWanted(amplificationName) && !(await runAmplification(seed, Number(values.scale)))) bad++;
console.log(bad === 0 ? 'all promises held' : `${bad} scenarios broke promises or proved nothing`);
process.exit(bad === 0 ? 0 : 1);

function verdict({ findings, void: why }: Outcome): string {
  if (findings.length > 0) return 'FAIL';
  return why === undefined ? 'ok  ' : 'VOID';
}

function summary(outcome: Outcome): string {
  const { operations, unknown, events, watches, undecided, rate, void: why } = outcome;
  const given = undecided === 0 ? '' : `, order of ${undecided} keys undecided`;
  const counts = `${operations} requests (${unknown} unknown), ${watches} watches, ${events} events, ${Math.round(rate)}/s before${given}`;
  return why === undefined ? counts : `${counts}; void: ${why}`;
}
