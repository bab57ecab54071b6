import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures, ReportRow } from '../figures.ts';
import type { Lab } from '../lab.ts';
import type { PlaneFigures } from '../plane.ts';
import { residentBytes } from '../process-usage.ts';
import type { Bench, Scenario } from './scenario.ts';

/** What is measured in a process of its own, and how long it may take on an idle machine. */
interface PlaneMeasurement {
  readonly what: string;
  readonly title: (count: number) => string;
  readonly count: (lab: Lab) => number;
  readonly allowedMs: (count: number) => number;
}

const measurements: readonly PlaneMeasurement[] = [
  {
    what: 'start',
    title: () => 'start in process, modules loaded',
    count: ({ settings }) => 3 * settings.rounds,
    allowedMs: () => 150,
  },
  {
    what: 'namespace',
    title: (count) => `namespace of ${count} objects`,
    count: () => 1_000,
    allowedMs: () => 2_000,
  },
  {
    what: 'pods',
    title: (count) => `${count} pods`,
    count: ({ settings }) => settings.objects,
    allowedMs: (count) => 3 * count,
  },
];

/** Controllers in one process with their server, beside what they may take; the collector beside etcd's own deletes. */
export const controllers: Scenario = {
  name: 'controllers',
  async run(bench) {
    for (const measurement of measurements) await measurePlane(bench, measurement);
    await measureCollection(bench);
    await measureIdle(bench);
  },
};

async function measurePlane({ lab, report }: Bench, measurement: PlaneMeasurement): Promise<void> {
  const count = measurement.count(lab);
  const { elapsedMs, cpuMicros, note } = await plane(lab, measurement.what, count);
  report({
    scenario: `controllers, ${measurement.title(count)}`,
    figures: { ours: { p50Ms: elapsedMs, cpuMicros }, bare: { p50Ms: measurement.allowedMs(count) } },
    compared: 'p50Ms',
    bar: 1,
    note: [note, "'bare' is what it may take"].filter(Boolean).join('; '),
  });
}

/** How often longer than a bare program, which deletes keys of etcd as many at a time, the collector may take. */
const collectionBar = 1.5;

/** The objects that the collector deletes at the same time. */
const collectorWidth = '20';

async function measureCollection({ lab, report }: Bench): Promise<void> {
  const count = lab.settings.coldObjects;
  const figures: Record<'ours' | 'bare', Figures> = { ours: {}, bare: {} };
  const bare = await lab.run('bare/etcd.js', lab.etcd.endpoint, 'delete', collectorWidth, String(count));
  for (const [contender, { elapsedMs, cpuMicros }] of [
    ['bare', JSON.parse(bare) as PlaneFigures],
    ['ours', await plane(lab, 'collection', count)],
  ] as const) {
    figures[contender] = { p50Ms: elapsedMs, cpuMicros, operationsPerSecond: (1000 * count) / elapsedMs };
  }
  const note = "'bare' deletes keys through etcd3, 20 at a time";
  const row: ReportRow = {
    scenario: `controllers, ${count} owned objects`,
    figures,
    compared: 'p50Ms',
    bar: collectionBar,
    note,
  };
  report(row);
}

/** Runs a measurement in a process of its own. */
export async function plane(lab: Lab, what: string, count: number): Promise<PlaneFigures> {
  // The program prints what this type says.
  return JSON.parse(await lab.run('plane.js', what, lab.etcd.endpoint, String(count))) as PlaneFigures;
}

/** What idle controllers may add to a server: the share of a core, and memory. */
const idleShare = 0.005;
const idleBytes = 60_000_000;

/** Time in which the program starts and then has nothing to do. */
const programMs = 8_000;

/** A server with controllers on which nothing happens, beside one without; then the program, of which Node is the larger part. */
async function measureIdle({ lab, report }: Bench): Promise<void> {
  const without = await plane(lab, 'idle', 0);
  const ours = await plane(lab, 'idle', 1);
  report({
    scenario: 'controllers, idle',
    figures: {
      ours: { cpuMicros: Math.max(0, ours.cpuMicros - without.cpuMicros) },
      bare: { cpuMicros: idleShare * 1e6 },
    },
    compared: 'cpuMicros',
    bar: 1,
    note: "CPU in one second, added to that of the server; 'bare' is what it may be",
  });
  report({
    scenario: 'controllers, idle: memory',
    figures: {
      ours: { residentBytes: (ours.residentBytes ?? Number.NaN) - (without.residentBytes ?? 0) },
      bare: { residentBytes: idleBytes },
    },
    compared: 'residentBytes',
    bar: 1,
    note: "added to that of the server; 'bare' is what it may be",
  });
  const manager = await lab.startControllerManager();
  await sleep(programMs);
  const figures = { ours: { residentBytes: residentBytes(manager.pid) } };
  report({ scenario: 'controllers, idle: program', figures, compared: 'residentBytes', note: 'Node included' });
  await manager.stop();
}
