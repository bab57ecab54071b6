#!/usr/bin/env node
import { tuneHeap } from '../server/tune-heap.ts';

tuneHeap();
// Imported afterwards: the imports alone would make V8's young generation too large.
const { runApiServer } = await import('../server/run-api-server.ts');
await runApiServer(process.argv.slice(2));
