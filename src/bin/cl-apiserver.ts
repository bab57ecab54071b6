#!/usr/bin/env node
import { delayOptimization } from '../server/delay-optimization.ts';
import { tuneHeap } from '../server/tune-heap.ts';

tuneHeap();
const optimizeAsUsual = delayOptimization();
// Imported afterwards: the imports alone would make V8's young generation too large.
const { runApiServer } = await import('../server/run-api-server.ts');
await runApiServer(process.argv.slice(2));
optimizeAsUsual();
