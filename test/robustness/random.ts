/** Chance that can be had again. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from `from` up to and with `to`. */
  between(from: number, to: number): number;
  /** One of some things. */
  pick<T>(things: readonly T[]): T;
  /** Another source, which depends on this seed and on nothing that is drawn here. */
  fork(name: string): Random;
}

/** A source of chance from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (things) => {
      const thing = things[between(0, things.length - 1)];
      if (thing === undefined) throw new RangeError('there is nothing to pick from');
      return thing;
    },
    fork: (name) =>
      randomFrom(name.split('').reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), seed)),
  };
}

/** The seed of a run: `ROBUSTNESS_SEED`, or another one each time. */
export function seedOfRun(): number {
  const given = process.env.ROBUSTNESS_SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
