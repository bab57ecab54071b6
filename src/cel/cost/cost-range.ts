/** The least and the most that something costs, or has as its size. Sums stop at `unbounded`. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** The most that is counted, as in cel-go, whose costs have 64 bits. */
export const unbounded = 2 ** 64;

function capped(value: number): number {
  // Infinity times zero.
  return Number.isNaN(value) ? 0 : Math.min(value, unbounded);
}

/** A cost or size that is known. */
export function exactly(value: number): CostRange {
  return { min: value, max: value };
}

/** A size that is not known. */
export const anySize: CostRange = Object.freeze({ min: 0, max: unbounded });

/** The sum of ranges. */
export function add(...ranges: readonly CostRange[]): CostRange {
  return {
    min: capped(ranges.reduce((sum, { min }) => sum + min, 0)),
    max: capped(ranges.reduce((sum, { max }) => sum + max, 0)),
  };
}

/** The product of two ranges. */
export function multiply(left: CostRange, right: CostRange): CostRange {
  return { min: capped(left.min * right.min), max: capped(left.max * right.max) };
}

/** A size times the cost of one unit, rounded up. */
export function timesFactor({ min, max }: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

/** The range that has both. */
export function union(left: CostRange, right: CostRange): CostRange {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}
