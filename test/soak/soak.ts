// `make soak`: mixed load against one server for half an hour; fails on wrong answers, growing memory and a blocked event loop.
// `make soak ARGS=definitions`: what a server keeps of definitions that were removed.
import { parseArgs } from 'node:util';
import { seedOfRun } from '../robustness/random.ts';
import { judgeDefinitions } from './definitions/judge-definitions.ts';
import { runSoak, type SoakReport } from './run-soak.ts';

/** Memory of the last minute may exceed that of this minute by this share. */
const baselineMinute = 5;
const allowedGrowth = 0.1;
/** The longest block of the event loop in milliseconds. */
const blockBoundMs = 250;
const shownErrors = 20;
const mebibyte = 2 ** 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '30' } },
});
if (positionals.includes('definitions')) process.exit((await judgeDefinitions()) ? 0 : 1);
const seed = seedOfRun();
console.log(`ROBUSTNESS_SEED=${seed}: ${values.minutes} minutes`);

const report = await runSoak({
  seconds: Number(values.minutes) * 60,
  seed,
  onMinute(minute, { rss, heapTotal, heapUsed, external, blockMs }, counts) {
    const done = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
    console.log(
      `minute ${minute}: RSS ${inMebibytes(rss)} MiB, heap ${inMebibytes(heapUsed)} of ${inMebibytes(heapTotal)} MiB, ` +
        `external ${inMebibytes(external)} MiB, ` +
        `longest block ${blockMs.toFixed(0)} ms; ${done}`,
    );
  },
});
const problems = verdict(report);
for (const problem of problems) console.log(`FAIL  ${problem}`);
console.log(problems.length === 0 ? 'ok: no wrong answer, no growth, no block' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function verdict({ faults, minutes, crashed }: SoakReport): string[] {
  const found = [...new Set(faults)].slice(0, shownErrors);
  if (faults.length > found.length) found.push(`${faults.length} wrong answers altogether`);
  if (crashed) found.push('the server crashed');
  const baseline = minutes[baselineMinute - 1];
  const last = minutes.at(-1);
  if (baseline && last && last.rss > baseline.rss * (1 + allowedGrowth)) {
    found.push(`memory grew from ${inMebibytes(baseline.rss)} to ${inMebibytes(last.rss)} MiB`);
  }
  const longest = Math.max(0, ...minutes.map(({ blockMs }) => blockMs));
  if (longest > blockBoundMs) found.push(`the event loop was blocked for ${longest.toFixed(0)} ms`);
  return found;
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(0);
}
