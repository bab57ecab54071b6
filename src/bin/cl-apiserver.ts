#!/usr/bin/env node
import { tuneHeap } from '../server/tune-heap.ts';

tuneHeap();
// Loaded behind it: already what a start loads would make the young generation too large.
const { runApiServer } = await import('../server/run-api-server.ts');
await runApiServer(process.argv.slice(2));
