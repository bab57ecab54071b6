#!/usr/bin/env node
import { tuneHeap } from '../process/tune-heap.ts';

tuneHeap();
// Imported afterwards: the imports alone would make V8's young generation too large.
const { runControllerManager } = await import('../controllers/manager/run-controller-manager.ts');
await runControllerManager(process.argv.slice(2));
