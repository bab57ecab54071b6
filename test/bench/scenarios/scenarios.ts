import { fanOut } from './fan-out.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import type { Scenario } from './scenario.ts';
import { starvation } from './starvation.ts';
import { writes } from './writes.ts';

/** All scenarios, in the order in which they run. */
export const scenarios: readonly Scenario[] = [get, list, starvation, writes, fanOut];
