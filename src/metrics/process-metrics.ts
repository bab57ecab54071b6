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
  readGauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', () =>
    limitIn(/^Max address space\s+(\S+)/m),
  ),
  networkBytes('receive', 'Number of bytes received by the process over the network.', 'InOctets'),
  networkBytes('transmit', 'Number of bytes sent by the process over the network.', 'OutOctets'),
];

/**
 * A resource limit of the process. Unlimited is the largest number, as in other Prometheus clients.
 */
function limitIn(pattern: RegExp): number | undefined {
  const [, text] = pattern.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (text === undefined) return undefined;
  return text === 'unlimited' ? 2 ** 64 : Number(text);
}

/**
 * A counter of the network bytes of the process, from the two lines of `/proc/self/net/netstat`.
 */
function networkBytes(direction: string, help: string, column: string): MetricFamily {
  const gauge = readGauge(`process_network_${direction}_bytes_total`, help, () => {
    const lines = readFileSync('/proc/self/net/netstat', 'utf8').split('\n');
    const [names = [], values = []] = lines.filter((line) => line.startsWith('IpExt:')).map((line) => line.split(' '));
    const index = names.indexOf(column);
    return index < 0 ? undefined : Number(values[index]);
  });
  return { ...gauge, type: 'counter', merge: 'largest' };
}

function numberIn(file: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(readFileSync(file, 'utf8'));
  return match ? Number(match[1]) : undefined;
}
