import type { Sizes } from './shape.ts';

/** What an input cost. */
export interface Cost {
  /** The CPU time of the longest turn of the event loop. */
  readonly blockMs: number;
  /** The memory that it took at most. */
  readonly bytes: number;
}

/** Sizes, and what they cost. */
export interface Tried {
  readonly sizes: Sizes;
  readonly cost: Cost;
}

/** What `climb` calls. */
interface Climb {
  readonly start: Sizes;
  /** Tries an input; undefined if it is larger than a request may be. */
  readonly measure: (sizes: Sizes) => Promise<Cost | undefined>;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  readonly rounds: number;
  /** Ends the search early. */
  readonly isEnough: (cost: Cost) => boolean;
}

/** The factors by which a size changes: mostly it grows. */
const factors = [10, 4, 4, 3, 2, 2, 1.3, 0.5];

/** The share of the cost before that the next input must have: small inputs cost little but chance. */
const keptShare = 0.7;

/**
 * Grows an input towards the most CPU in one turn and the most memory: each round changes one or
 * two sizes of the input, and goes on from there unless it costs clearly less. Returns the input
 * that cost most.
 */
export async function climb({ start, measure, random, rounds, isEnough }: Climb): Promise<Tried | undefined> {
  const first = await measure(start);
  let present: Tried | undefined = first && { sizes: start, cost: first };
  let worst = present;
  for (let round = 0; round < rounds && present && worst && !isEnough(worst.cost); round++) {
    const sizes = changed(present.sizes, random);
    const cost = await measure(sizes);
    if (!cost) continue;
    if (scoreOf(cost) > scoreOf(present.cost) * keptShare) present = { sizes, cost };
    if (scoreOf(cost) > scoreOf(worst.cost)) worst = { sizes, cost };
  }
  return worst;
}

function changed(sizes: Sizes, random: () => number): Sizes {
  const names = Object.keys(sizes);
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const next = { ...sizes };
  for (const name of [pick(names), random() < 0.5 ? pick(names) : undefined]) {
    if (name !== undefined) next[name] = Math.max(1, Math.round((next[name] ?? 1) * (pick(factors) ?? 2)));
  }
  return next;
}

/** A millisecond counts as much as a quarter of a megabyte: both limits are reached together. */
function scoreOf({ blockMs, bytes }: Cost): number {
  return blockMs + bytes / (256 * 1024);
}
