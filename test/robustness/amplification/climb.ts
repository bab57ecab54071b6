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

/** The factor by which each size grows alone at first, and how often: up to two millions. */
const [firstFactor, firstSteps] = [8, 7];

/**
 * Grows an input towards the most CPU in one turn and the most memory: at first each size alone, up
 * to the largest input. Then each round changes one or two sizes, and goes
 * on from there unless it costs clearly less. Returns the input that cost most.
 */
export async function climb({ start, measure, random, rounds, isEnough }: Climb): Promise<Tried | undefined> {
  const first = await measure(start);
  if (!first) return undefined;
  let worst: Tried = { sizes: start, cost: first };
  const tryOut = async (sizes: Sizes): Promise<Tried | undefined> => {
    const cost = await measure(sizes);
    if (!cost) return undefined;
    const tried = { sizes, cost };
    if (scoreOf(cost) > scoreOf(worst.cost)) worst = tried;
    return tried;
  };
  for (const name of Object.keys(start)) {
    let size = worst.sizes[name] ?? 1;
    for (let step = 0; step < firstSteps && !isEnough(worst.cost); step++) {
      size *= firstFactor;
      if (!(await tryOut({ ...worst.sizes, [name]: size }))) break;
    }
  }
  let present = worst;
  for (let round = 0; round < rounds && !isEnough(worst.cost); round++) {
    const next = await tryOut(changed(present.sizes, random));
    if (next && scoreOf(next.cost) > scoreOf(present.cost) * keptShare) present = next;
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

/** Memory that any request may take while the collector of garbage waits. */
const usualBytes = 16 * 1024 * 1024;

/** A millisecond counts as much as a quarter of a megabyte: both limits are reached together. */
function scoreOf({ blockMs, bytes }: Cost): number {
  return blockMs + Math.max(0, bytes - usualBytes) / (256 * 1024);
}
