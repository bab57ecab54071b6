import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Lab, registryPrefix, type Subject, withClients } from '../lab.ts';
import type { HttpClient } from '../load/http-client.ts';
import { eachOf, press } from '../load/press.ts';
import { cpuSeconds } from '../process-usage.ts';
import { compare, type Scenario } from './scenario.ts';

const clients = 32;
const counts: readonly number[] = [2, 4];

/** GETs of each process before it is measured. */
const warmGets = 5_000;

/**
 * GETs from the caches of several processes of one server, beside those of a server alone: CPU and
 * memory of all its processes together. If a GET costs the same, N workers serve N times as many
 * where there are N cores to spare.
 */
export const workers: Scenario = {
  name: 'workers',
  async run({ lab, fill, report }) {
    await fill();
    for (const count of counts) {
      const several = await lab.startServer(registryPrefix, `--workers=${count}`);
      const alone = await lab.startServer(registryPrefix);
      const shares: string[] = [];
      const figures = await compare(lab.settings.rounds, 'cpuMicros', {
        ours: () => measure(lab, several, shares),
        bare: () => measure(lab, alone, []),
      });
      await lab.stopSubject(several);
      await lab.stopSubject(alone);
      // With fewer cores they compete for the caches of the processor.
      const bar = count <= availableParallelism() ? { bar: 1.1 } : {};
      const note = `'bare' is one process; CPU of each worker: ${shares.at(-1)}`;
      report({ scenario: `workers-get, ${count} workers`, figures, compared: 'cpuMicros', ...bar, note });
      report({ scenario: `workers-memory, ${count} workers`, figures, compared: 'residentBytes' });
    }
  },
};

async function measure({ settings }: Lab, server: Subject, shares: string[]): Promise<Figures> {
  const processes = [server.pid, ...childrenOf(server.pid)];
  const cpu = (): readonly number[] => processes.map(cpuSeconds);
  return withClients(server, clients, async (connections) => {
    // Each worker compiles its code; that is not what is compared.
    await eachOf(warmGets * processes.length, clients, (_, client) => get(connections, client));
    let operations = 0;
    let before: readonly number[] = [];
    const { operationsPerSecond = 0 } = await press(
      { pid: server.pid, clients, seconds: settings.seconds },
      (client) => {
        if (before.length === 0) before = cpu();
        operations++;
        return get(connections, client);
      },
    );
    const used = cpu().map((seconds, index) => seconds - (before[index] ?? 0));
    shares.push(
      used
        .slice(1)
        .map((seconds) => `${((seconds / operations) * 1e6).toFixed(0)} µs`)
        .join(', '),
    );
    return {
      operationsPerSecond,
      cpuMicros: (used.reduce((sum, seconds) => sum + seconds, 0) / operations) * 1e6,
      residentBytes: processes.reduce((sum, pid) => sum + proportionalBytes(pid), 0),
    };
  });
}

async function get(connections: readonly HttpClient[], client: number): Promise<void> {
  await connections[client]?.send({ path: `${paths.object}?resourceVersion=0` });
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  });
}

/** Memory of a process; pages that several have count for each in part. */
function proportionalBytes(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}
