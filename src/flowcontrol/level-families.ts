import type { MetricFamily } from '../metrics/metric-family.ts';
import type { BorrowingLevel } from './borrowing.ts';

type LevelValue = (row: BorrowingLevel) => number | undefined;

/** The gauges of levels that borrow seats, by the ends of their names. */
const values: Readonly<Record<string, readonly [help: string, value: LevelValue]>> = {
  lower_limit_seats: [
    'Configured lower bound on number of execution seats available to each priority level',
    ({ bounds }) => bounds.least,
  ],
  upper_limit_seats: [
    'Configured upper bound on number of execution seats available to each priority level',
    ({ bounds }) => bounds.most,
  ],
  current_limit_seats: [
    'current derived number of execution seats available to each priority level',
    ({ level, bounds }) => (level.settings.exempt ? Math.max(1, bounds.nominal) : level.limit),
  ],
  demand_seats_high_watermark: [
    'High watermark, over last adjustment period, of demand_seats',
    ({ level }) => level.lastDemand?.highWatermark,
  ],
  demand_seats_average: [
    'Time-weighted average, over last adjustment period, of demand_seats',
    ({ level }) => level.lastDemand?.average,
  ],
  demand_seats_stdev: [
    'Time-weighted standard deviation, over last adjustment period, of demand_seats',
    ({ level }) => level.lastDemand?.deviation,
  ],
  demand_seats_smoothed: ['Smoothed seat demands', ({ level }) => level.lastDemand?.smoothed],
};

/** The families of the seats of levels, read when they are shown. */
export function levelFamilies(levels: () => readonly BorrowingLevel[]): readonly MetricFamily[] {
  return Object.entries(values).map(([name, [help, value]]) => ({
    name: `apiserver_flowcontrol_${name}`,
    help,
    since: '1.26',
    type: 'gauge',
    labelNames: ['priority_level'],
    samples: () =>
      levels().flatMap((row) => {
        const shown = value(row);
        return shown === undefined ? [] : [{ labels: { priority_level: row.level.settings.name }, value: shown }];
      }),
  }));
}
