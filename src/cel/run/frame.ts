import type { CelValue } from '../values/cel-value.ts';
import { CostExceeded, type WorkMeter } from '../values/work-meter.ts';

/** The state of an evaluation. */
export interface Frame {
  /** The values of variables, by the places that were given to them. */
  readonly values: CelValue[];
  cost: number;
  readonly limit: number;
  readonly meter: WorkMeter;
}

/** Adds to the cost of an evaluation. Throws CostExceeded. */
export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw new CostExceeded();
}
