import type { CrowdFigures } from '../crowd.ts';
import type { Bench, Scenario } from './scenario.ts';

/** Pods on each node. */
const density = 50;

/**
 * Many pods on stand-in nodes in one process: `BENCH_COLD_OBJECTS` of them, 100,000 by default, which takes ten minutes of CPU and four GB;
 * so it runs only if it is asked for.
 */
export const crowd: Scenario = {
  name: 'crowd',
  async run({ lab, report }: Bench) {
    const { coldObjects: pods, only } = lab.settings;
    if (!only.some((word) => word.startsWith('crowd'))) return;
    const nodes = Math.ceil(pods / density);
    // The program prints what this type says.
    const figures = JSON.parse(await lab.run('crowd.js', String(nodes), String(pods))) as CrowdFigures;
    const { cpuMicros: steps, elapsedMs, residentBytes, idleCpuMicros, nodesCpuMs } = figures;
    const cpuMicros = steps.reduce((sum, each) => sum + each, 0) / steps.length;
    report({
      scenario: `crowd, ${pods} pods on ${nodes} nodes`,
      figures: { ours: { cpuMicros, residentBytes, operationsPerSecond: (1000 * pods) / elapsedMs } },
      compared: 'cpuMicros',
      note: `CPU for each pod, its create included: of the first tenth ${shown(steps[0])}, of the last ${shown(steps.at(-1))}`,
    });
    report({
      scenario: `crowd, ${nodes} nodes until they are ready`,
      figures: { ours: { cpuMicros: (1000 * nodesCpuMs) / nodes } },
      compared: 'cpuMicros',
      note: 'CPU for each node',
    });
    report({
      scenario: `crowd, ${nodes} nodes that renew leases`,
      figures: { ours: { cpuMicros: idleCpuMicros } },
      compared: 'cpuMicros',
      note: 'CPU in one second',
    });
  },
};

function shown(micros: number | undefined): string {
  return `${((micros ?? Number.NaN) / 1000).toFixed(1)} ms`;
}
