import type { PanelDefinition } from './dashboard.ts';
import { rate, series } from './queries.ts';

const each = '{{instance}}';

/** The panels that every process written in Node has. */
export const nodePanels: readonly PanelDefinition[] = [
  {
    title: 'CPU',
    description: 'Processors in use; with several workers the sum of their processes.',
    unit: 'short',
    queries: [[rate('process_cpu_seconds_total'), each]],
  },
  {
    title: 'Event loop',
    description: 'Share of the time in which the event loop was busy: at 1 requests wait for each other.',
    unit: 'percentunit',
    queries: [[`${rate('nodejs_eventloop_active_seconds_total')} / ${series('nodejs_processes')}`, each]],
  },
  {
    title: 'Resident memory',
    unit: 'bytes',
    queries: [
      [series('process_resident_memory_bytes'), each],
      [series('nodejs_external_memory_bytes'), `${each} external`],
    ],
  },
  {
    title: 'Heap',
    unit: 'bytes',
    queries: [
      [series('nodejs_heap_size_used_bytes'), `${each} used`],
      [series('nodejs_heap_size_total_bytes'), `${each} total`],
    ],
  },
  {
    title: 'Heap, share of its limit',
    unit: 'percentunit',
    queries: [[`${series('nodejs_heap_size_used_bytes')} / ${series('nodejs_heap_size_limit_bytes')}`, each]],
  },
  {
    title: 'Open files and connections',
    unit: 'short',
    queries: [
      [series('process_open_fds'), each],
      [series('process_max_fds'), `${each} limit`],
    ],
  },
  {
    title: 'Time since the start',
    unit: 's',
    queries: [[`time() - ${series('process_start_time_seconds')}`, each]],
  },
];
