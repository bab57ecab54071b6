#!/usr/bin/env node
import { runControllerManager } from '../controllers/run-controller-manager.ts';

await runControllerManager(process.argv.slice(2));
