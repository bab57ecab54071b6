import { readdirSync, readFileSync } from 'node:fs';
import type { MetricFamily } from './metric-family.ts';
import { readGauge } from './read-gauge.ts';

const startedAt = performance.timeOrigin / 1_000;

/** The standard metrics of a process, with the names that Prometheus clients use. */
export const processMetrics: readonly MetricFamily[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    stability: 'none',
    type: 'counter',
    samples() {
      const { user, system } = process.cpuUsage();
      return [{ labels: {}, value: (user + system) / 1e6 }];
    },
  },
  readGauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss()),
  {
    ...readGauge(
      'process_start_time_seconds',
      'Start time of the process since unix epoch in seconds.',
      () => startedAt,
    ),
    merge: 'largest',
  },
  readGauge('process_open_fds', 'Number of open file descriptors.', () => readdirSync('/proc/self/fd').length),
  readGauge('process_max_fds', 'Maximum number of open file descriptors.', () =>
    numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m),
  ),
  readGauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', () => {
    const kilobytes = numberIn('/proc/self/status', /^VmSize:\s+(\d+)/m);
    return kilobytes === undefined ? undefined : kilobytes * 1_024;
  }),
];

function numberIn(file: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(readFileSync(file, 'utf8'));
  return match ? Number(match[1]) : undefined;
}
