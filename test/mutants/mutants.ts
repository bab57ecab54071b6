// `make mutants`: changes the built program in one place at a time and runs the tests that should notice. Arguments select mutants
// by parts of their names.
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/package/package-root.ts';
import { randomFrom } from '../robustness/random.ts';
import { generateMutants } from './generate-mutants.ts';
import { knownMutants } from './known-mutants.ts';
import type { Mutant } from './mutant.ts';
import { type Fate, openSandbox, type Sandbox } from './run-mutant.ts';
import { mutatedFolders, testsOf } from './suites.ts';

const labels: Readonly<Record<Fate, string>> = {
  killed: 'ok      ',
  survived: 'SURVIVED',
  'timed out': 'ok: hung',
  invalid: 'no program',
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many of the generated mutants are tried in each folder. */
    sample: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
  },
});
const root = packageRoot();
const wanted = positionals.filter((argument) => argument !== '');
const isWanted = ({ name }: Mutant): boolean => wanted.length === 0 || wanted.some((part) => name.includes(part));

/** How many mutants were tried, and how many of them some test noticed. */
interface Score {
  readonly tried: number;
  readonly noticed: number;
}

await using sandbox = await openSandbox(root);
console.log('known mutants');
const known = await tryAll(sandbox, knownMutants.filter(isWanted));
const scores: Score[] = [];
for (const folder of mutatedFolders) {
  const all = (await generateMutants(`${root}/dist`, [folder])).filter(isWanted);
  const sample = drawn(all, Number(values.sample));
  if (sample.length === 0) continue;
  const plain = await sandbox.runPlain(testsOf(folder));
  if (plain !== 'survived') throw new Error(`the tests of ${folder} fail by themselves`);
  console.log(`${folder}: ${sample.length} of ${all.length} mutants, seed ${values.seed}`);
  const score = await tryAll(sandbox, sample);
  console.log(`${folder}: ${lineOf(score)}`);
  scores.push(score);
}
console.log(`known: ${lineOf(known)}`);
console.log(`generated: ${lineOf(scores.reduce(sumOf, { tried: 0, noticed: 0 }))}`);
process.exitCode = known.noticed === known.tried ? 0 : 1;

/** Tries mutants one after the other. What is no program counts for nothing. */
async function tryAll(place: Sandbox, mutants: readonly Mutant[]): Promise<Score> {
  const fates: Fate[] = [];
  for (const mutant of mutants) {
    const began = performance.now();
    const fate = await place.run(mutant);
    fates.push(fate);
    console.log(`${labels[fate]}  ${mutant.name} (${Math.round((performance.now() - began) / 1_000)} s)`);
  }
  const tried = fates.filter((fate) => fate !== 'invalid');
  return { tried: tried.length, noticed: tried.filter((fate) => fate !== 'survived').length };
}

function sumOf(one: Score, other: Score): Score {
  return { tried: one.tried + other.tried, noticed: one.noticed + other.noticed };
}

/** Some of the mutants, the same ones for the same seed and program. */
function drawn(mutants: readonly Mutant[], count: number): Mutant[] {
  const random = randomFrom(Number(values.seed));
  return mutants
    .map((mutant) => ({ mutant, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function lineOf({ tried, noticed }: Score): string {
  return tried === 0 ? 'none tried' : `${noticed} of ${tried} noticed, ${Math.round((100 * noticed) / tried)} %`;
}
