import type { MetricFamily, Sample } from './metric-family.ts';

/** The allowed values of labels, by `<family>,<label>`. */
export type AllowedLabels = Readonly<Record<string, readonly string[]>>;

/** The value that replaces values of a label which are not allowed. */
const unexpected = 'unexpected';

/**
 * A family whose labels have only allowed values, and `unexpected` in place of all others. Samples
 * with equal labels are added up.
 */
export function withAllowedLabels(family: MetricFamily, allowed: AllowedLabels): MetricFamily {
  if (Object.keys(allowed).length === 0) return family;
  const limited = (family.labelNames ?? []).filter((label) => Object.hasOwn(allowed, `${family.name},${label}`));
  if (limited.length === 0) return family;
  const valuesOf = new Map(limited.map((label) => [label, new Set(allowed[`${family.name},${label}`])]));
  const shown = (sample: Sample): Sample => {
    const labels = Object.entries(sample.labels).map(([label, value]) => {
      const values = valuesOf.get(label);
      return [label, values && !values.has(value) ? unexpected : value];
    });
    return { ...sample, labels: Object.fromEntries(labels) };
  };
  return { ...family, samples: () => joined([...family.samples()].map(shown)) };
}

function joined(samples: readonly Sample[]): readonly Sample[] {
  const byLabels = new Map<string, Sample>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.suffix, String(sample.upTo), sample.labels]);
    const known = byLabels.get(key);
    byLabels.set(key, known ? { ...known, value: known.value + sample.value } : sample);
  }
  return [...byLabels.values()];
}
