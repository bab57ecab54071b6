import { fanOut } from './fan-out.ts';
import { gets } from './get.ts';
import { lists } from './list.ts';
import type { Scenario } from './scenario.ts';
import { starvation } from './starvation.ts';
import { writes } from './writes.ts';

/** All scenarios, in the order in which they run. */
export const scenarios: readonly Scenario[] = [...gets, ...lists, starvation, writes, fanOut];
