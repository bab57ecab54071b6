import { plane } from './controllers.ts';
import type { Bench, Scenario } from './scenario.ts';

/** Stand-in nodes with a server in one process: the cost of a pod until it runs, and of the leases. */
export const nodes: Scenario = {
  name: 'nodes',
  async run({ lab, report }: Bench) {
    const count = Math.ceil(lab.settings.objects / 4);
    const pods = await plane(lab, 'nodes', count);
    const operationsPerSecond = (1000 * 4 * count) / pods.elapsedMs;
    report({
      scenario: `nodes, ${4 * count} pods on ${count} of them`,
      figures: {
        ours: { cpuMicros: pods.cpuMicros, operationsPerSecond, residentBytes: pods.residentBytes ?? Number.NaN },
      },
      compared: 'cpuMicros',
      note: 'CPU of the whole process for each pod, its create included',
    });
    const { cpuMicros } = await plane(lab, 'leases', count);
    report({
      scenario: `nodes, leases of ${count}`,
      figures: { ours: { cpuMicros } },
      compared: 'cpuMicros',
      note: 'CPU in one second',
    });
  },
};
