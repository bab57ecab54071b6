#!/usr/bin/env node
import { delayOptimization } from '../server/delay-optimization.ts';
import { limitInlining } from '../server/limit-inlining.ts';
import { tuneHeap } from '../server/tune-heap.ts';

tuneHeap();
limitInlining();
const optimizeAsUsual = delayOptimization();
// Imported afterwards: the imports alone would make V8's young generation too large.
const { runApiServer } = await import('../server/run-api-server.ts');
await runApiServer(process.argv.slice(2));
optimizeAsUsual();
