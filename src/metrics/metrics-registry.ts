import type { MetricFamily } from './metric-family.ts';
import { encodeFamily } from './text-format.ts';

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/** All metrics of one server. Not global, because one process may run several servers. */
export class MetricsRegistry {
  readonly #families = new Map<string, MetricFamily>();

  /** Adds families. Throws a TypeError for an invalid or duplicate name. */
  register(...families: readonly MetricFamily[]): void {
    for (const family of families) {
      const { name } = family;
      if (!namePattern.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid metric name`);
      if (this.#families.has(name)) throw new TypeError(`the metric ${name} is already registered`);
      this.#families.set(name, family);
    }
  }

  /** All metrics with their present values, in name order, in Prometheus' text format 0.0.4. */
  text(): string {
    const families = [...this.#families].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return families.map(([, family]) => encodeFamily(family)).join('');
  }
}
