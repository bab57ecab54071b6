#!/usr/bin/env node
import { delayOptimization, limitInlining } from '../process/delay-optimization.ts';
import { tuneHeap } from '../process/tune-heap.ts';

const args = process.argv.slice(2);
if (args[0] === undefined || args[0].startsWith('-')) await serve();
else await runCommand();

async function serve(): Promise<void> {
  tuneHeap();
  limitInlining();
  const optimizeAsUsual = delayOptimization();
  // Imported afterwards: the imports alone would make V8's young generation too large.
  const { runApiServer } = await import('../process/run-api-server.ts');
  await runApiServer(args);
  optimizeAsUsual();
}

/** Runs a command of `cl`: `npx cl-apiserver up` finds only the program with the package's name. */
async function runCommand(): Promise<void> {
  // Not bundled: it is the file beside this one, in the build and in the package.
  const program = './cl.js';
  await import(program);
}
