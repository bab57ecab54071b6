// run-parts.js TARGET[,TARGET...]...: runs targets of the Makefile with tests. The targets of an argument run one after the
// other, the arguments beside each other; each target runs, also behind one that fails. A line of output begins with its
// target. Ends with what failed, so that the end of a long output tells it: the lines of each failure, the number of tests
// that passed and failed, a line for each test that failed, and a last line that names the targets that failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The end of a target. */
interface TestRun {
  readonly target: string;
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  /** The lines about each failure, as the reporter wrote them. */
  readonly failures: readonly string[];
}

const linesOfFailure = 20;

/** Titles of failed tests at the end: some logs are kept for their last thousand characters only. */
const titlesAtEnd = 8;
const lengthOfTitle = 120;

async function run(target: string): Promise<TestRun> {
  const startMs = performance.now();
  const lines: string[] = [];
  const show = (line: string): void => {
    lines.push(line);
    console.log(`${target}: ${line}`.trimEnd());
  };
  const child = spawn('make', ['--no-print-directory', target], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const output of [child.stdout, child.stderr]) forEachLine(output, show);
  // A process that was killed has no exit code.
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const ended = {
    target,
    exitCode: exitCode ?? 1,
    passed: countOf(lines, 'passing'),
    failed: countOf(lines, 'failing'),
    failures: failuresIn(lines),
  };
  show(`${summary([ended])} in ${Math.round((performance.now() - startMs) / 1000)} s`);
  return ended;
}

function forEachLine(input: Readable, show: (line: string) => void): void {
  createInterface({ input }).on('line', show);
}

/** The count in the last lines of mocha. A failure may quote the counts of a run of its own, which is smaller. */
function countOf(lines: readonly string[], word: string): number {
  const counts = lines.map((line) => new RegExp(`^ +(\\d+) ${word}`).exec(line)?.[1]);
  return Math.max(0, ...counts.filter((count) => count !== undefined).map(Number));
}

function failuresIn(lines: readonly string[]): string[] {
  const begins = [...lines.keys()].filter((index) => lines[index]?.startsWith('failed: '));
  return begins.flatMap((index, nth) =>
    lines.slice(index, Math.min(index + linesOfFailure, begins[nth + 1] ?? Infinity)),
  );
}

function titlesOf(runs: readonly TestRun[]): string[] {
  return runs.flatMap(({ failures }) =>
    failures.filter((line) => line.startsWith('failed: ')).map((line) => line.slice(0, lengthOfTitle)),
  );
}

async function runInOrder(targets: readonly string[]): Promise<TestRun[]> {
  const runs: TestRun[] = [];
  for (const target of targets) runs.push(await run(target));
  return runs;
}

function summary(runs: readonly TestRun[]): string {
  const sum = (key: 'passed' | 'failed'): number => runs.reduce((all, { [key]: count }) => all + count, 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

const lanes = process.argv.slice(2).map((targets) => targets.split(','));
const runs = (await Promise.all(lanes.map(runInOrder))).flat();
for (const { target, failures } of runs) for (const line of failures) console.log(`${target}: ${line}`.trimEnd());
console.log(summary(runs));
const broken = runs.filter(({ exitCode }) => exitCode !== 0);
if (broken.length > 0) {
  const words = broken.map(({ target, failed, exitCode }) => `${target} (${failed} tests, exit code ${exitCode})`);
  for (const title of titlesOf(broken).slice(0, titlesAtEnd)) console.log(title);
  console.log(`failed: ${words.join(', ')}`);
  process.exitCode = 1;
}
