import { randomInt } from 'node:crypto';
import { atStorageBorder } from '../../../registry/read/storage-error-status.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Allocation, ItemAllocations } from '../../../storage/objects/item-allocations.ts';
import type { ItemRange } from './address-range.ts';
import type { PoolMetrics } from './allocation-metrics.ts';

/** The result of an attempt to allocate a given item. */
export type Taken = 'taken' | 'held by another' | 'out of range';

/** The object for which items are allocated. */
interface Drawer {
  /** The text that identifies the object in allocations. */
  readonly owner: string;
  /** The text that identifies the object in the second record, if there is one. */
  readonly secondOwner?: string;
  /** The items that the object has already. */
  readonly held: readonly string[];
  /** If true, free items are looked up but not allocated. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * The allocations for one write of one object. Throws a `StatusError` if the store fails or the
 * range is exhausted.
 */
export interface Draw {
  readonly range: ItemRange;
  /**
   * Allocates a given item. Items that the object has already are always granted, even outside the
   * range.
   */
  one(item: string): Promise<Taken>;
  /** Allocates any free item. */
  any(): Promise<string>;
  /** Releases all items that this draw allocated. */
  undo(): Promise<void>;
}

/** How many random items are tried. After that the free items are looked up in the store. */
const randomAttempts = 8;

/**
 * How many lookups are tried. A lookup is outdated when another server allocates one of the last
 * items.
 */
const lookups = 64;

/** The most items of a range that one lookup compares with the allocations. */
const longestSearch = 65_536;

/** The records of the allocations of a pool, and their metrics. */
interface PoolRecords {
  readonly allocations: ItemAllocations;
  /** The record of servers of other releases: an item must be free in both. */
  readonly second?: ItemAllocations | undefined;
  readonly metrics?: PoolMetrics | undefined;
}

/** The items of a range, with their allocations in the store. */
export class ItemPool {
  readonly range: ItemRange;
  readonly #allocations: ItemAllocations;
  readonly #second: ItemAllocations | undefined;
  readonly #metrics: PoolMetrics | undefined;

  constructor(range: ItemRange, { allocations, second, metrics }: PoolRecords) {
    this.range = range;
    this.#allocations = allocations;
    this.#second = second;
    this.#metrics = metrics;
  }

  /** Begins the allocations for one write. */
  draw(drawer: Drawer): Draw {
    const taken = new Map<string, Allocation | undefined>();
    const inSecond: Allocation[] = [];
    const held = new Set(drawer.held);
    const take = async (item: string): Promise<boolean> => {
      if (taken.has(item)) return true;
      const call = { signal: drawer.signal };
      if (drawer.dryRun) {
        if ((await this.#lookUp(item, drawer)) === undefined) return false;
        taken.set(item, undefined);
        return true;
      }
      const second = await atBorder(async () => this.#second?.take(item, drawer.secondOwner ?? '', call));
      if (this.#second && !second) return false;
      if (second) inSecond.push(second);
      const allocation = await atBorder(() => this.#allocations.take(item, drawer.owner, call));
      if (allocation) taken.set(item, allocation);
      return allocation !== undefined;
    };
    const one = async (item: string): Promise<Taken> => {
      if (!this.range.has(item)) return 'out of range';
      return (await take(item)) ? 'taken' : 'held by another';
    };
    return {
      range: this.range,
      one: async (item) => (held.has(item) ? 'taken' : this.#observed(drawer, 'static', () => one(item))),
      any: () =>
        this.#observed(drawer, 'dynamic', () =>
          this.#any(drawer, (item) => (taken.has(item) ? Promise.resolve(false) : take(item))),
        ),
      undo: async () => {
        await this.drop([...taken.values()].filter((allocation) => allocation !== undefined));
        const second = this.#second;
        if (second) await Promise.all(inSecond.map((allocation) => second.drop(allocation).catch(() => {})));
      },
    };
  }

  /** Reports an allocation that is no dry run to the metrics. */
  async #observed<Result extends string>(
    { dryRun }: Drawer,
    scope: 'static' | 'dynamic',
    allocate: () => Promise<Result>,
  ): Promise<Result> {
    const metrics = dryRun ? undefined : this.#metrics;
    const start = performance.now();
    try {
      const result = await allocate();
      if (scope === 'dynamic' || result === 'taken')
        metrics?.allocated(this.range, scope, (performance.now() - start) / 1000);
      else metrics?.failed(this.range, scope);
      return result;
    } catch (error) {
      metrics?.failed(this.range, scope);
      throw error;
    }
  }

  /**
   * The current allocations of some items that belong to an owner. Items whose lookup fails are
   * left out.
   */
  async allocationsOf(items: readonly string[], owner: string): Promise<readonly Allocation[]> {
    const allocations = await Promise.all(items.map((item) => this.#allocations.find(item).catch(() => undefined)));
    return allocations
      .filter((allocation) => allocation !== undefined)
      .filter((allocation) => allocation.owner === owner);
  }

  /** Releases allocations. Store errors are ignored: the repair releases the rest. */
  async drop(allocations: readonly Allocation[]): Promise<void> {
    await Promise.all(allocations.map((allocation) => this.#allocations.drop(allocation).catch(() => {})));
  }

  async #lookUp(item: string, { owner, signal }: Drawer): Promise<'free' | undefined> {
    const allocation = await atBorder(() => this.#allocations.find(item, { signal }));
    return !allocation || allocation.owner === owner ? 'free' : undefined;
  }

  async #any({ signal, held }: Drawer, take: (item: string) => Promise<boolean>): Promise<string> {
    const { size, staticSize } = this.range;
    for (let left = randomAttempts; left > 0; left--) {
      const item = this.range.at(staticSize + randomInt(size - staticSize));
      if (!held.includes(item) && (await take(item))) return item;
    }
    for (let left = lookups; left > 0; left--) {
      const recorded = new Set((await atBorder(() => this.#allocations.list({ signal }))).map(({ item }) => item));
      const isFree = (item: string): boolean => !recorded.has(item) && !held.includes(item);
      const dynamic = this.#items(staticSize, size).filter(isFree);
      const free = dynamic.length > 0 ? dynamic : this.#items(0, staticSize).filter(isFree);
      if (free.length === 0) break;
      const item = free[randomInt(free.length)];
      if (item !== undefined && (await take(item))) return item;
    }
    throw new StatusError(
      'InternalError',
      `Internal error occurred: failed to allocate from ${this.range.text}: range is full`,
    );
  }

  /** Some items of a part of the range: all, or a run from a random one if there are too many. */
  #items(first: number, end: number): string[] {
    const size = end - first;
    const start = size > longestSearch ? randomInt(size) : 0;
    const length = Math.min(size, longestSearch);
    return Array.from({ length }, (_, index) => this.range.at(first + ((start + index) % size)));
  }
}

function atBorder<T>(work: () => Promise<T>): Promise<T> {
  return atStorageBorder({ subject: { group: '', resource: 'services' }, name: '' }, work);
}
