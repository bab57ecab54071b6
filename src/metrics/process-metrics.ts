import type { MetricFamily } from './metric-family.ts';

const startedAt = performance.timeOrigin / 1_000;

/** The standard metrics of a process, with the names that Prometheus clients use. */
export const processMetrics: readonly MetricFamily[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    type: 'counter',
    samples() {
      const { user, system } = process.cpuUsage();
      return [{ labels: {}, value: (user + system) / 1e6 }];
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: process.memoryUsage.rss() }],
  },
  {
    name: 'process_start_time_seconds',
    help: 'Start time of the process since the Unix epoch in seconds.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: startedAt }],
  },
];
