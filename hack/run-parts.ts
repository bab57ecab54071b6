// run-parts.js TARGET...: runs targets of the Makefile, each with tests, also those behind one that fails. Ends with the number
// of tests that passed and failed, and a last line that names the targets that failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The end of a target. */
interface TestRun {
  readonly target: string;
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
}

async function run(target: string): Promise<TestRun> {
  console.log(`== ${target}`);
  const child = spawn('make', ['--no-print-directory', target], { stdio: ['inherit', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    text += chunk.toString();
  });
  // What a process that was killed returns is null.
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { target, exitCode: exitCode ?? 1, passed: countOf(text, 'passing'), failed: countOf(text, 'failing') };
}

/** What mocha says at its end. */
function countOf(text: string, word: string): number {
  return Number(new RegExp(`^ +(\\d+) ${word}`, 'm').exec(text)?.[1] ?? 0);
}

const runs: TestRun[] = [];
for (const target of process.argv.slice(2)) runs.push(await run(target));
const sum = (key: 'passed' | 'failed'): number => runs.reduce((all, { [key]: count }) => all + count, 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
const broken = runs.filter(({ exitCode }) => exitCode !== 0);
if (broken.length > 0) {
  const words = broken.map(({ target, failed, exitCode }) => `${target} (${failed} tests, exit code ${exitCode})`);
  console.log(`failed: ${words.join(', ')}`);
  process.exitCode = 1;
}
