#!/usr/bin/env node
import { paceCollector } from '../server/pace-collector.ts';

paceCollector();
// Loaded behind it: already what a start loads would make the young generation too large.
const { runApiServer } = await import('../server/run-api-server.ts');
await runApiServer(process.argv.slice(2));
