import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from './private-network.ts';
import { programFile } from '../program-file.ts';

/** A real `cl-apiserver`, which a fault can end and start again at the same address. */
export interface ServerProcess {
  readonly url: string;
  readonly ca: string;
  /** The bearer token of an administrator. */
  readonly token: string;
  readonly pid: number;
  /** What it has written to its output and log, from all its lives. */
  readonly output: () => string;
  /** Whether it ended without being told to. */
  readonly crashed: () => boolean;
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
}

/** How a server is started. */
export interface ServerProcessOptions {
  /** Without any it keeps objects in memory. */
  readonly etcdEndpoints: readonly string[];
  readonly directory: string;
  readonly flags: readonly string[];
  /** The most files that it may have open; undefined leaves it at the shell's. */
  readonly openFiles?: number | undefined;
  /** Where it runs; on this machine, on loopback, by default. */
  readonly host?: Host | undefined;
  /** The environment; that of this process by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Arguments of Node itself, before the program. */
  readonly nodeArguments?: readonly string[];
  /** Takes what the process sends over IPC; without it there is no such channel. */
  readonly onMessage?: (message: unknown) => void;
}

const loopback: Host = { address: '127.0.0.1', enter: [] };

const program = programFile('cl-apiserver');
/** The administrator's; all servers of a directory share the file that has it. */
const token = 'robustness';
const startTimeoutMs = 120_000;
/** Enough of the log to tell what was wrong. */
const keptCharacters = 200_000;

/** Starts a server on a free port and waits until it serves. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  await mkdir(options.directory, { recursive: true });
  await writeFile(tokenFileIn(options.directory), `${token},robustness,,system:masters\n`, { mode: 0o600 });
  let output = '';
  let child: ChildProcess | undefined;
  let expected = false;
  let crashed = false;
  let port = 0;

  const start = async (): Promise<void> => {
    expected = false;
    const [command, args] = commandOf(options, port);
    const { onMessage, environment } = options;
    const started = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(onMessage ? (['ipc'] as const) : [])],
      ...(environment ? { env: environment } : {}),
    });
    if (onMessage) started.on('message', onMessage);
    child = started;
    const end = (): boolean => started.kill('SIGKILL');
    process.once('exit', end);
    const keep = (text: string): void => {
      output = (output + text).slice(-keptCharacters);
    };
    started.stdout?.setEncoding('utf8').on('data', keep);
    started.stderr?.setEncoding('utf8').on('data', keep);
    started.once('exit', () => {
      process.off('exit', end);
      crashed ||= !expected;
    });
    const from = output.length;
    port = await untilServing(() => output.slice(Math.min(from, output.length)), started);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expected = true;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };

  await start();
  return {
    url: `https://${(options.host ?? loopback).address}:${port}`,
    ca: await readFile(path.join(options.directory, 'pki', 'ca.crt'), 'utf8'),
    token,
    get pid() {
      return child?.pid ?? 0;
    },
    output: () => output,
    crashed: () => crashed,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}

function tokenFileIn(directory: string): string {
  return path.join(directory, 'tokens.csv');
}

function commandOf(options: ServerProcessOptions, port: number): [string, string[]] {
  const { address, enter } = options.host ?? loopback;
  const limit =
    options.openFiles === undefined ? [] : ['/bin/sh', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'sh'];
  const [command = process.execPath, ...args] = [
    ...enter,
    ...limit,
    process.execPath,
    ...(options.nodeArguments ?? []),
    program,
    ...(options.etcdEndpoints.length > 0 ? [`--etcd-servers=${options.etcdEndpoints.join()}`] : ['--store=memory']),
    `--secure-port=${port}`,
    `--bind-address=${address}`,
    `--cert-dir=${path.join(options.directory, 'pki')}`,
    `--token-auth-file=${tokenFileIn(options.directory)}`,
    '--log-level=warn',
    ...options.flags,
  ];
  return [command, args];
}

async function untilServing(output: () => string, child: ChildProcess): Promise<number> {
  const end = performance.now() + startTimeoutMs;
  while (performance.now() < end) {
    const port = /serving on https:\/\/[^\s]*:(\d+)/.exec(output())?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null || child.signalCode !== null) break;
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`cl-apiserver did not start: ${output()}`);
}
