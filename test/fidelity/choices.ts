import type { Random } from '../robustness/random.ts';

/** True in this share of cases. */
export function chance(random: Random, share: number): boolean {
  return random.next() < share;
}

/** What `make` makes in this share of cases, else undefined. */
export function maybe<T>(random: Random, share: number, make: () => T): T | undefined {
  return chance(random, share) ? make() : undefined;
}

/** The things in another order. */
export function shuffled<T>(random: Random, things: readonly T[]): T[] {
  const left = [...things];
  return things.flatMap(() => left.splice(random.between(0, left.length - 1), 1));
}

/** Some of the things, each once, in any order. */
export function some<T>(random: Random, things: readonly T[], least = 0, most = 3): T[] {
  return shuffled(random, things).slice(0, random.between(least, Math.min(most, things.length)));
}

/** That many things. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** One of the keys, each as often as its weight says. */
export function weighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries<number>(weights);
  let left = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const chosen = entries.find(([, weight]) => (left -= weight) < 0);
  if (!chosen) throw new RangeError('there is nothing to choose from');
  // The keys of a record are its keys.
  return chosen[0] as K;
}

/** A map with some of the keys. */
export function someEntries<T>(random: Random, keys: readonly string[], make: () => T): Record<string, T> {
  return Object.fromEntries(some(random, keys, 1).map((key) => [key, make()]));
}
