import { nextTurn } from '../async/yield-if-long.ts';
import { bufferOf, joinBuffers } from '../memory/large-buffer.ts';
import type { ExpositionFormat } from './exposition-format.ts';
import { type FamilySnapshot, mergeSnapshots, snapshotOf } from './family-snapshot.ts';
import { type AllowedLabels, withAllowedLabels } from './allowed-labels.ts';
import type { Labels, MetricFamily } from './metric-family.ts';

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/** The release of a server, and the metrics of older ones that it shows (spec 9.2). */
interface MetricsRegistryOptions {
  /** The release, such as `1.23`; by default no metric is deprecated in it. */
  readonly release?: string;
  /** Shows the metrics that this release hides. The default is false. */
  readonly showHidden?: boolean;
  /** The allowed values of labels. */
  readonly allowedLabels?: AllowedLabels;
  /** The names of disabled families. */
  readonly disabled?: readonly string[];
  /** Called for each deprecated family that is registered. */
  readonly onDeprecated?: (family: MetricFamily) => void;
  /** The metrics of other processes that serve together with this one. */
  readonly gather?: () => Promise<readonly (readonly FamilySnapshot[])[]>;
}

/**
 * A deprecated metric is hidden this number of releases after its deprecation, and deleted in the
 * next one.
 */
const releasesUntilHidden = 3;

/** The time of encoding in one turn of the event loop. */
const turnLimitMs = 5;

/** All metrics of one server. Not global, because one process may run several servers. */
export class MetricsRegistry {
  readonly #families = new Map<string, MetricFamily>();
  /** All families, also the hidden ones, which have series too. */
  readonly #registered: MetricFamily[] = [];
  readonly #options: MetricsRegistryOptions;
  readonly #minor: number;

  constructor(options: MetricsRegistryOptions = {}) {
    this.#options = options;
    this.#minor = minorOf(options.release ?? '');
  }

  /**
   * Adds families. A disabled family, or one of a later release, is not shown but can be used.
   * Throws a TypeError for an invalid or duplicate name.
   */
  register(...families: readonly MetricFamily[]): void {
    for (const original of families) {
      const family = withAllowedLabels(original, this.#options.allowedLabels ?? {});
      const { name, deprecated, since: first, until } = family;
      if (!namePattern.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid metric name`);
      this.#registered.push(original);
      if (this.#options.disabled?.includes(name)) continue;
      if (first !== undefined && this.#minor < minorOf(first)) continue;
      if (until !== undefined && this.#minor >= minorOf(until)) continue;
      if (this.#families.has(name)) throw new TypeError(`the metric ${name} is already registered`);
      const since = deprecated === undefined ? undefined : minorOf(deprecated);
      if (since === undefined || this.#minor < since) {
        this.#families.set(name, { ...family, deprecated: undefined });
      } else if (!this.#isHidden(since)) {
        this.#options.onDeprecated?.(family);
        this.#families.set(name, family);
      }
    }
  }

  /** True if the emulated release is a given one or a later one. */
  isSince(release: string): boolean {
    return this.#minor >= minorOf(release);
  }

  /** Removes the series with such labels from all families. */
  forget(isGone: (labels: Labels) => boolean): void {
    for (const family of this.#registered) family.forget?.(isGone);
  }

  /** The present values of all metrics of this process. */
  snapshot(): readonly FamilySnapshot[] {
    return [...this.#families.values()].map(snapshotOf);
  }

  /**
   * All metrics, by name, with their values when they are encoded. A thousand histograms take some
   * 40 ms, so that other work runs in between.
   */
  async encode(format: ExpositionFormat): Promise<Buffer> {
    const families = (await this.#gathered()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const pieces: Buffer[] = [];
    let startMs = performance.now();
    for (const family of families) {
      for (const piece of format.encode(family)) {
        pieces.push(bufferOf(piece));
        if (performance.now() - startMs < turnLimitMs) continue;
        await nextTurn();
        startMs = performance.now();
      }
    }
    return joinBuffers([...pieces, Buffer.from(format.end)]);
  }

  async #gathered(): Promise<readonly MetricFamily[]> {
    const others = await this.#options.gather?.();
    if (!others) return [...this.#families.values()];
    // Other registries of these processes have families of their own.
    return mergeSnapshots([this.snapshot(), ...others]).filter(({ name }) => this.#families.has(name));
  }

  #isHidden(since: number): boolean {
    const { showHidden = false } = this.#options;
    const hiddenIn = since + releasesUntilHidden;
    return this.#minor > hiddenIn || (this.#minor === hiddenIn && !showHidden);
  }
}

/** The minor number of a release; 0 without one. */
function minorOf(release: string): number {
  return Number(release.split('.')[1] ?? 0);
}
