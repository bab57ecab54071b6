import { getHeapStatistics } from 'node:v8';
import type { MetricFamily } from './metric-family.ts';
import { readGauge } from './read-gauge.ts';

/** The metrics of Node, with the names that Prometheus clients for Node use. */
export function nodeMetrics(): readonly MetricFamily[] {
  const [major = '', minor = '', patch = ''] = process.versions.node.split('.');
  return [
    {
      name: 'nodejs_version_info',
      help: 'Node.js version info.',
      stability: 'none',
      type: 'gauge',
      merge: 'largest',
      labelNames: ['version', 'major', 'minor', 'patch'],
      samples: () => [{ labels: { version: process.version, major, minor, patch }, value: 1 }],
    },
    readGauge('nodejs_processes', 'Number of Node.js processes that serve together.', () => 1),
    readGauge(
      'nodejs_heap_size_total_bytes',
      'Process heap size from Node.js in bytes.',
      () => process.memoryUsage().heapTotal,
    ),
    readGauge(
      'nodejs_heap_size_used_bytes',
      'Process heap size used from Node.js in bytes.',
      () => process.memoryUsage().heapUsed,
    ),
    readGauge(
      'nodejs_heap_size_limit_bytes',
      'Limit of the heap of Node.js in bytes.',
      () => getHeapStatistics().heap_size_limit,
    ),
    readGauge(
      'nodejs_external_memory_bytes',
      'Node.js external memory size in bytes.',
      () => process.memoryUsage().external,
    ),
    {
      name: 'nodejs_eventloop_active_seconds_total',
      help: 'Time in which the event loop was not idle, in seconds.',
      stability: 'none',
      type: 'counter',
      samples: () => [{ labels: {}, value: performance.eventLoopUtilization().active / 1_000 }],
    },
  ];
}
