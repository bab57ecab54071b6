import { ruleRequest } from '../../../src/authz/rbac/role-rules.ts';
import { largePolicy, wellBound } from '../../unit/authz/large-policy.ts';
import type { Figures } from '../figures.ts';
import { compare, type Scenario } from './scenario.ts';

const decisions = 200_000;

/** One decision of the RBAC authorizer in this process, and the memory of its index. */
export const authorization: Scenario = {
  name: 'authorize-rbac',
  async run({ lab, report }) {
    const before = process.memoryUsage().heapUsed;
    const index = largePolicy();
    const bytes = process.memoryUsage().heapUsed - before;
    const decide = async (): Promise<Figures> => {
      const start = process.cpuUsage();
      const startMs = performance.now();
      for (let number = 0; number < decisions; number++) index.find(ruleRequest(wellBound))?.decision();
      const { user, system } = process.cpuUsage(start);
      const seconds = (performance.now() - startMs) / 1000;
      return { cpuMicros: (user + system) / decisions, operationsPerSecond: decisions / seconds, residentBytes: bytes };
    };
    report({
      scenario: 'authorize-rbac, 1,000 roles',
      figures: await compare(lab.settings.rounds, 'cpuMicros', { ours: decide }),
      compared: 'cpuMicros',
      note: 'one decision among 1,000 roles and 5,000 bindings for a user with a hundred roles; RSS is the index',
    });
  },
};
