import type { MetricFamily } from './metric-family.ts';

/**
 * Creates a gauge of the process, without labels, whose value is read when it is shown. It has no
 * series while its value is undefined or cannot be read.
 */
export function readGauge(name: string, help: string, read: () => number | undefined): MetricFamily {
  return {
    name,
    help,
    stability: 'none',
    type: 'gauge',
    samples() {
      const value = valueOf(read);
      return value === undefined ? [] : [{ labels: {}, value }];
    },
  };
}

/** Systems without `/proc` do not have all values. */
function valueOf(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
