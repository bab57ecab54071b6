import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { quantile } from '../figures.ts';
import type { Bench, Scenario } from './scenario.ts';
import { programFile } from '../../program-file.ts';

const cl = programFile('cl');

/** One thing that is started or stopped, and how long it may take on an idle machine. */
interface Start {
  readonly name: string;
  readonly allowedMs: number;
  /** Does it once, in a new directory, and answers how long it took. */
  readonly measure: (directory: string) => Promise<number>;
}

const watches = 20;

const measured: readonly Start[] = [
  { name: 'cl up to readyz, etcd included', allowedMs: 1_500, measure: startUp },
  { name: 'server in process to readyz', allowedMs: 500, measure: () => startAndStop(async () => {}) },
  { name: 'import of the client', allowedMs: 60, measure: importClient },
  { name: `stop with ${watches} watches`, allowedMs: 1_000, measure: stopWithWatches },
];

/** Starts and stops, beside what they may take. */
export const starts: Scenario = {
  name: 'start',
  run: async ({ lab, report }: Bench) => {
    for (const { name, allowedMs, measure } of measured) {
      const times: number[] = [];
      for (let round = 0; round < lab.settings.rounds; round++) {
        times.push(await measure(`${lab.directory}/start-${allowedMs}-${round}`));
      }
      const figures = { ours: { p50Ms: quantile(times, 0.5) }, bare: { p50Ms: allowedMs } };
      report({ scenario: `start, ${name}`, figures, compared: 'p50Ms', bar: 1, note: "'bare' is what it may take" });
    }
  },
};

async function startUp(directory: string): Promise<number> {
  const child = spawn(process.execPath, [cl, 'up', '--secure-port=16443', `--data-dir=${directory}`]);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ctrl-C')) break;
  }
  if (child.exitCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
  }
  const seconds = /ready in ([\d.]+) s/.exec(said)?.[1];
  if (seconds === undefined) throw new Error(`cl up did not start: ${said}`);
  return Number(seconds) * 1_000;
}

/** Answers the time until a server is ready; `before` runs before it is stopped. */
async function startAndStop(before: (server: TestServer) => Promise<void>): Promise<number> {
  const begin = performance.now();
  await using server = await startServer();
  await withAgent(server, async (agent) => {
    const response = await agent.request({ origin: server.url, path: '/readyz', method: 'GET' });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`/readyz answered ${response.statusCode}`);
  });
  const tookMs = performance.now() - begin;
  await before(server);
  return tookMs;
}

async function stopWithWatches(): Promise<number> {
  let tookMs = 0;
  await startAndStop((server) =>
    withAgent(server, async (agent) => {
      const headers = { authorization: `Bearer ${server.token}` };
      const path = '/api/v1/namespaces?watch=1';
      const open = () => agent.request({ origin: server.url, path, method: 'GET', headers });
      const opened = await Promise.all(Array.from({ length: watches }, open));
      const ended = Promise.all(opened.map(({ body }) => body.dump()));
      const begin = performance.now();
      await server.stop();
      tookMs = performance.now() - begin;
      await ended;
    }),
  );
  return tookMs;
}

/** Answers the time of the import in a new process. */
async function importClient(): Promise<number> {
  const code = `const before = performance.now();
    await import('./dist/bundle/client/index.js');
    console.log(performance.now() - before);`;
  return Number((await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])).stdout);
}

async function withAgent(server: TestServer, work: (agent: Agent) => Promise<void>): Promise<void> {
  const agent = new Agent({ connect: { ca: server.ca } });
  try {
    await work(agent);
  } finally {
    await agent.close();
  }
}
