#!/usr/bin/env node
import { runApiServer } from '../server/run-api-server.ts';

await runApiServer(process.argv.slice(2));
