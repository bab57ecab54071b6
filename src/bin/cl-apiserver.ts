#!/usr/bin/env node
import { delayOptimization, limitInlining } from '../process/delay-optimization.ts';
import { tuneHeap } from '../process/tune-heap.ts';

tuneHeap();
limitInlining();
const optimizeAsUsual = delayOptimization();
// Imported afterwards: the imports alone would make V8's young generation too large.
const { runApiServer } = await import('../process/run-api-server.ts');
await runApiServer(process.argv.slice(2));
optimizeAsUsual();
