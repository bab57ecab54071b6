/** The ranges of cluster sizes, and the seconds that node agents may keep Secrets in each. */
const ranges = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: 10_000, seconds: 300 },
  { least: 9000, most: Infinity, seconds: 600 },
] as const;

/** Follows the size of a cluster. The ranges overlap, so that one node changes it seldom. */
export class ClusterSize {
  #nodes = 0;
  #range = 0;

  /** The time that node agents may keep Secrets. */
  get seconds(): number {
    return ranges[this.#range]?.seconds ?? 0;
  }

  /** Counts nodes that came (1) or went (-1). True if the time is another one now. */
  change(count: number): boolean {
    this.#nodes += count;
    const before = this.#range;
    while (this.#nodes > (ranges[this.#range]?.most ?? Infinity)) this.#range++;
    while (this.#nodes < (ranges[this.#range]?.least ?? 0)) this.#range--;
    return this.#range !== before;
  }
}
