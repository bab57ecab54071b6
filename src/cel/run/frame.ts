import type { CelValue } from '../values/cel-value.ts';

/** The state of an evaluation. */
export interface Frame {
  /** The values of variables, by the places that were given to them. */
  readonly values: CelValue[];
  cost: number;
  readonly limit: number;
}

/** An evaluation that costs too much. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Adds to the cost of an evaluation. Throws CostExceeded. */
export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw new CostExceeded();
}
