import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { paths } from '../collection.ts';
import { compareClosely, pressHttp, type Scenario } from './scenario.ts';
import { registryPrefix } from '../lab.ts';

const clientCounts: readonly number[] = [8, 32];

/** A recorded request may cost this much more than one that is not. */
const surplusMicros = 10;

/** GET of one object from a server that records each request at level Metadata, beside one that does not. */
export const audit: Scenario = {
  name: 'audit',
  async run({ lab, fill, report }) {
    await fill();
    const policyFile = path.join(lab.directory, 'audit-policy.json');
    const logFile = path.join(lab.directory, 'audit.log');
    const policy = { apiVersion: 'audit.cl.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
    await writeFile(policyFile, JSON.stringify(policy));
    const flags = [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`, '--audit-log-maxbackup=1'];
    // Both are new, so that neither is warmer than the other.
    const server = await lab.startServer(registryPrefix, ...flags);
    const plain = await lab.startServer(registryPrefix);
    for (const clients of clientCounts) {
      const request = () => ({ path: paths.object });
      report({
        scenario: `audit, ${clients} clients`,
        figures: await compareClosely(lab.settings, 'cpuMicros', (seconds) => ({
          ours: pressHttp(server, { clients, seconds }, request),
          bare: pressHttp(plain, { clients, seconds }, request),
        })),
        compared: 'cpuMicros',
        surplus: surplusMicros,
        note: 'two events a request, in the mode blocking; bare is a server without audit',
      });
    }
    await lab.stopSubject(server);
    await lab.stopSubject(plain);
    await rm(logFile, { force: true });
  },
};
