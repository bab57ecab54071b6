import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { configMapsPath, ensureNamespace } from '../collection.ts';
import { type Figures, quantile } from '../figures.ts';
import type { Subject } from '../lab.ts';
import { eachOf } from '../load/press.ts';
import { connectWatchers } from '../load/watcher.ts';
import { cpuSeconds, openFilesLimit, residentBytes } from '../process-usage.ts';
import { type Bench, compare, ofServers, type Scenario } from './scenario.ts';

const started = 1_000;
const namespace = 'bench-quiet';
const watch = `${configMapsPath(namespace)}?watch=1&timeoutSeconds=3000`;

/** 1,000 watches on connections that stand already, from the request to the head of the answer. */
export const watchStart: Scenario = {
  name: 'watch-start',
  async run(bench) {
    const { lab, report } = bench;
    const bare = await bareOf(bench);
    const figures = await compare(lab.settings.rounds, 'cpuMicros', {
      ...ofServers(lab, (server) => () => start(server, watch, started)),
      bare: () => start(bare, '/watch', started),
    });
    report({ scenario: `watch-start, ${started} watchers`, figures, compared: 'cpuMicros' });
    await lab.stopSubject(bare);
  },
};

/** What each idle watch keeps in memory, connection and TLS included. */
export const idleWatchers: Scenario = {
  name: 'idle-watchers',
  async run(bench) {
    const { lab, report } = bench;
    const bare = await bareOf(bench);
    // Some files are open for other reasons; the server has the same limit.
    const count = Math.min(lab.settings.idleWatchers, openFilesLimit() - 500);
    // What a used server lets go of meanwhile would be taken off.
    const fresh = await lab.startServer('/idle-watchers');
    await ensureNamespace({ contender: 'ours', ...fresh }, namespace);
    const figures = await compare(1, 'residentBytes', {
      ...ofServers(lab, (server) => () => idle(server.contender === 'ours' ? fresh : server, watch, count)),
      bare: () => idle(bare, '/watch', count),
    });
    const each = (figures.ours?.residentBytes ?? 0) / count / 1024;
    const note = `memory added by ${count} watches, ${each.toFixed(1)} KiB each`;
    report({ scenario: `idle-watchers, ${count}`, figures, compared: 'residentBytes', note });
    await lab.stopSubject(fresh);
    await lab.stopSubject(bare);
  },
};

async function bareOf({ lab }: Bench): Promise<Subject> {
  for (const server of lab.servers) await ensureNamespace(server, namespace);
  const frameFile = path.join(lab.directory, 'frame');
  await writeFile(frameFile, '{}\n');
  return lab.startBare('frames', frameFile);
}

async function start(subject: Subject, target: string, count: number): Promise<Figures> {
  const watchers = await connectWatchers(subject, count);
  const times: number[] = [];
  const cpuBefore = cpuSeconds(subject.pid);
  const begin = performance.now();
  await eachOf(count, 50, async (index) => {
    const asked = performance.now();
    await watchers[index]?.start(target);
    times.push(performance.now() - asked);
  });
  const elapsed = (performance.now() - begin) / 1000;
  const cpuMicros = ((cpuSeconds(subject.pid) - cpuBefore) / count) * 1e6;
  for (const watcher of watchers) watcher.close();
  return { operationsPerSecond: count / elapsed, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), cpuMicros };
}

async function idle(subject: Subject, target: string, count: number): Promise<Figures> {
  const before = residentBytes(subject.pid);
  const watchers = await connectWatchers(subject, count);
  await eachOf(count, 50, async (index) => watchers[index]?.start(target));
  const added = residentBytes(subject.pid) - before;
  for (const watcher of watchers) watcher.close();
  return { residentBytes: added };
}
