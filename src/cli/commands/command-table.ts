import type { Command } from '../command.ts';
import { accessCommands } from './access/rows.ts';
import { auditCommands } from './audit/rows.ts';
import { benchCommands } from './bench/rows.ts';
import { dashboardCommands } from './dashboard/rows.ts';
import { doctorCommands } from './doctor/rows.ts';
import { certsCommands } from './certs/rows.ts';
import { configCommands } from './config/rows.ts';
import { historyCommands } from './history/rows.ts';
import { inspectCommands } from './inspect/rows.ts';
import { kustomizeCommands } from './kustomize/rows.ts';
import { podCommands } from './pods/rows.ts';
import { readCommands } from './read/rows.ts';
import { recordCommands } from './record/rows.ts';
import { shellCommands } from './shell/rows.ts';
import { snapshotCommands } from './snapshot/rows.ts';
import { storageCommands } from './storage/rows.ts';
import { startCommands } from './start/rows.ts';
import { typeCommands } from './types/rows.ts';
import { writeCommands } from './write/rows.ts';

/** All commands of `cl`. */
export const commands: readonly Command[] = [
  ...startCommands,
  ...snapshotCommands,
  ...storageCommands,
  ...certsCommands,
  ...recordCommands,
  ...readCommands,
  ...typeCommands,
  ...historyCommands,
  ...auditCommands,
  ...inspectCommands,
  ...dashboardCommands,
  ...doctorCommands,
  ...writeCommands,
  ...podCommands,
  ...accessCommands,
  ...benchCommands,
  ...configCommands,
  ...kustomizeCommands,
  ...shellCommands,
];
