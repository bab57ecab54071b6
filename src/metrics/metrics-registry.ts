import type { MetricFamily } from './metric-family.ts';
import { encodeFamily } from './text-format.ts';

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/** All metrics of one server. There is none for the process: many servers may live in one. */
export class MetricsRegistry {
  readonly #families = new Map<string, MetricFamily>();

  /** Adds families. Throws a TypeError for a name that is none, or taken. */
  register(...families: readonly MetricFamily[]): void {
    for (const family of families) {
      const { name } = family;
      if (!namePattern.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a metric`);
      if (this.#families.has(name)) throw new TypeError(`there is a metric ${name} already`);
      this.#families.set(name, family);
    }
  }

  /** All of them as they are now, in the order of their names, in Prometheus' text format 0.0.4. */
  text(): string {
    const families = [...this.#families].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return families.map(([, family]) => encodeFamily(family)).join('');
  }
}
