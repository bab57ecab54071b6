import type { Scenario } from './scenario.ts';
import { quiet } from './scenarios/quiet.ts';

/** Every scenario of `make robustness`, in the order in which they run. */
export const scenarios: readonly Scenario[] = [quiet];
