import type { MetricDescription } from '../metrics/metric-family.ts';
import { counterVector, gaugeVector, histogramVector } from '../metrics/metric-vector.ts';
import { renamedFamily } from '../metrics/renamed-family.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { LevelSettings } from './level-settings.ts';
import type { Rejection } from './priority-level.ts';
import { createUtilization } from './utilization.ts';

/**
 * The metrics of the requests of one flow schema at one priority level. `nowMs` is the time of the
 * change.
 */
export interface FlowSeries {
  /** A request got its seats after a wait. */
  started(seats: number, waitedMs: number, nowMs: number): void;
  /** A request with seats ended. */
  ended(seats: number, tookMs: number, nowMs: number): void;
  /** A request began to wait in a queue of this length. */
  queued(length: number, nowMs: number): void;
  /** A request no longer waits. */
  unqueued(nowMs: number): void;
  rejected(reason: Rejection, waitedMs: number): void;
}

/** The metrics of flow control. */
export interface FlowMetrics {
  /** Returns the series of a schema and a level; the same ones each time. */
  of(schema: string, level: string): FlowSeries;
  /** Sets the number of seats of a level. */
  limit(level: LevelSettings, seats: number): void;
}

function named(name: string, help: string): MetricDescription {
  return { name: `apiserver_flowcontrol_${name}`, help };
}

const waitBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const seatBounds = [1, 2, 4, 8, 16, 32, 64, 100];
const lengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];

/** The release from which the utilization of levels is measured, and exempt requests have seats. */
const utilizationSince = '1.26';

/**
 * Creates the metrics and registers their families, by the names of kube-apiserver. `now` is the
 * clock of the times of changes.
 */
export function createFlowMetrics(registry: MetricsRegistry, now = (): number => performance.now()): FlowMetrics {
  const isMeasured = registry.isSince(utilizationSince);
  const utilization = createUtilization(now);
  const labels = ['flow_schema', 'priority_level'];
  const families = {
    rejected: counterVector(named('rejected_requests_total', 'Number of rejected requests.'), [...labels, 'reason']),
    dispatched: counterVector(named('dispatched_requests_total', 'Number of requests that got their seats.'), labels),
    inQueue: gaugeVector(named('current_inqueue_requests', 'Number of requests that wait in queues.'), labels),
    executing: gaugeVector(named('current_executing_requests', 'Number of requests that have seats.'), labels),
    seats: gaugeVector(
      { ...named('request_concurrency_in_use', 'Number of seats in use.'), deprecated: '1.31' },
      labels,
    ),
    limit: gaugeVector(
      { ...named('request_concurrency_limit', 'Number of seats of the priority level.'), deprecated: '1.30' },
      ['priority_level'],
    ),
    lengths: histogramVector(
      named('request_queue_length_after_enqueue', 'Length of the queue of a request when it began to wait.'),
      labels,
      lengthBounds,
    ),
    waits: histogramVector(
      named('request_wait_duration_seconds', 'Time that a request waited for its seats.'),
      ['execute', ...labels],
      waitBounds,
    ),
    executions: histogramVector(
      named('request_execution_seconds', 'Time that a request had its seats.'),
      labels,
      waitBounds,
    ),
    estimated: histogramVector(
      {
        ...named('work_estimated_seats', 'Number of seats that a request takes.'),
        since: '1.24',
      },
      labels,
      seatBounds,
    ),
  };
  const prefix = 'apiserver_flowcontrol_';
  registry.register(
    ...Object.values(families),
    ...utilization.families.map((family) => ({ ...family, since: utilizationSince })),
    renamedFamily(families.limit, { name: `${prefix}nominal_limit_seats`, since: '1.26', stability: 'BETA' }),
    renamedFamily(families.seats, { name: `${prefix}current_executing_seats`, since: '1.28', stability: 'BETA' }),
  );
  const known = new Map<string, Map<string, FlowSeries>>();
  const create = (schema: string, level: string): FlowSeries => {
    const dispatched = families.dispatched.with(schema, level);
    const inQueue = families.inQueue.with(schema, level);
    const executing = families.executing.with(schema, level);
    const inUse = families.seats.with(schema, level);
    const lengths = families.lengths.with(schema, level);
    const waits = families.waits.with('true', schema, level);
    const executions = families.executions.with(schema, level);
    const estimated = families.estimated.with(schema, level);
    const usage = isMeasured ? utilization.of(level) : undefined;
    return {
      started(seats, waitedMs, nowMs) {
        usage?.change({ executing: 1, seats }, nowMs);
        estimated.observe(seats);
        dispatched.add();
        executing.value++;
        inUse.value += seats;
        waits.observe(waitedMs / 1_000);
      },
      ended(seats, tookMs, nowMs) {
        usage?.change({ executing: -1, seats: -seats }, nowMs);
        executing.value--;
        inUse.value -= seats;
        executions.observe(tookMs / 1_000);
      },
      queued(length, nowMs) {
        usage?.change({ waiting: 1 }, nowMs);
        inQueue.value++;
        lengths.observe(length);
      },
      unqueued(nowMs) {
        usage?.change({ waiting: -1 }, nowMs);
        inQueue.value--;
      },
      rejected(reason, waitedMs) {
        families.rejected.with(schema, level, reason).add();
        families.waits.with('false', schema, level).observe(waitedMs / 1_000);
      },
    };
  };
  return {
    of(schema, level) {
      const levels = known.get(schema) ?? new Map<string, FlowSeries>();
      known.set(schema, levels);
      const series = levels.get(level) ?? create(schema, level);
      levels.set(level, series);
      return series;
    },
    limit({ name, exempt, queues, queueLengthLimit }, seats) {
      if (!exempt || isMeasured) families.limit.with(name).value = seats;
      if (isMeasured) utilization.of(name).limit({ seats, waiting: queues * queueLengthLimit }, now());
    },
  };
}
