import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { newAgent, request, type Target } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';

/** A server with two workers. */
export interface WorkerServer extends Target {
  readonly child: ChildProcess;
  /** All that it has written to standard error. */
  readonly errors: () => string;
}

/** Starts a server with the files of a directory: `tokens.csv`, and `pki`, which it makes. */
export async function startWorkers(
  directory: string,
  endpoint: string,
  ...flags: readonly string[]
): Promise<WorkerServer> {
  return startWorkersOf(programFile('cl-apiserver'), directory, endpoint, ...flags);
}

/** Starts a server as `startWorkers` does, with another file of the program. */
export async function startWorkersOf(
  program: string,
  directory: string,
  endpoint: string,
  ...flags: readonly string[]
): Promise<WorkerServer> {
  return untilServing(spawnWorkers(program, directory, endpoint, ...flags), directory);
}

/** Spawns such a server, which does not serve yet. */
export function spawnWorkers(
  program: string,
  directory: string,
  endpoint: string,
  ...flags: readonly string[]
): ChildProcess {
  return spawn(process.execPath, [
    program,
    '--workers=2',
    `--etcd-servers=${endpoint}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${directory}/pki`,
    `--token-auth-file=${directory}/tokens.csv`,
    '--log-level=error',
    ...flags,
  ]);
}

/** Waits until a spawned server says that it serves. */
export async function untilServing(child: ChildProcess, directory: string): Promise<WorkerServer> {
  let said = '';
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the workers to serve', () => {
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], errors);
    return /with 2 workers/.test(said);
  });
  const url = /https:\S+/.exec(said)?.[0] ?? '';
  return {
    child,
    errors: () => errors,
    url,
    ca: await readFile(`${directory}/pki/ca.crt`, 'utf8'),
    token: 'secret',
  };
}

/** The process ids of the present workers. */
export async function workersOf({ child }: Pick<WorkerServer, 'child'>): Promise<readonly string[]> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return children.trim().split(' ');
}

/** Sends a request on a connection of its own: the next worker gets it. */
export async function onNewConnection(
  server: Target,
  target: string,
  method = 'GET',
  body?: unknown,
): ReturnType<typeof request> {
  const agent = newAgent(server);
  try {
    return await request({ ...server, agent }, method, target, body);
  } finally {
    await agent.close();
  }
}

/** Reads a value from `/metrics`. */
export async function metricOf(server: Target, line: RegExp): Promise<number> {
  const { text } = await onNewConnection(server, '/metrics');
  return Number(line.exec(text)?.[1]);
}
