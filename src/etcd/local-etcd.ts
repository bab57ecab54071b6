import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEtcd } from './find-etcd.ts';

export { findEtcd } from './find-etcd.ts';

/** How to run an etcd on this machine. */
export interface LocalEtcdOptions {
  /** Kept between runs; made if it is not there. */
  readonly dataDir: string;
  /** Path of etcd; `findEtcd` is asked by default. */
  readonly binary?: string;
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** 0 or undefined takes a free port. */
  readonly clientPort?: number;
  readonly peerPort?: number;
  /** Where etcd's own log is appended; by default only its last words are kept, for the error if it does not start. */
  readonly logFile?: string;
  /** Bytes of data after which etcd refuses writes; etcd's own default is 2 GB. */
  readonly quotaBytes?: number;
  /** Serves clients over TLS, and only those with a certificate of the same authority. */
  readonly tls?: LocalEtcdTls;
  readonly extraArgs?: readonly string[];
}

/** Paths of PEM files, and their contents for the check that etcd serves. */
interface LocalEtcdTls {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly client: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}

/** A running etcd, which ends with this process at the latest. */
export interface LocalEtcd {
  /** `http://127.0.0.1:<port>`, or of another host, or over https */
  readonly endpoint: string;
  readonly pid: number;
  readonly clientPort: number;
  readonly peerPort: number;
  /** Resolves when it has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Asks it to end, kills it where it does not within 5 s, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Kills it as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** A new member on an idle machine serves within a third of a second; a busy one gets its time. */
const startTimeoutMs = 20_000;
const pollMs = 10;
const stopTimeoutMs = 5_000;

/** Starts a single etcd and waits until it serves. Throws what etcd last said if it does not. */
export async function startLocalEtcd(options: LocalEtcdOptions): Promise<LocalEtcd> {
  const [binary] = await Promise.all([
    options.binary ?? findEtcd(),
    mkdir(options.dataDir, { recursive: true, mode: 0o700 }),
  ]);
  try {
    return await startOnce(binary, options);
  } catch (error) {
    // Somebody may have taken a port between its choice and its use; the second choice is another one.
    const chosen = !options.clientPort || !options.peerPort;
    if (!chosen || !/address already in use/.test(String(error))) throw error;
    return startOnce(binary, options);
  }
}

async function startOnce(binary: string, options: LocalEtcdOptions): Promise<LocalEtcd> {
  const [clientPort, peerPort] = await Promise.all([options.clientPort || freePort(), options.peerPort || freePort()]);
  const host = options.host ?? '127.0.0.1';
  const endpoint = `${options.tls ? 'https' : 'http'}://${host}:${clientPort}`;
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a');
  const child = spawn(binary, argumentsOf(options, endpoint, `http://${host}:${peerPort}`), {
    stdio: ['ignore', 'ignore', log ?? 'pipe'],
    // A Ctrl-C in the terminal is for this process, which ends etcd when nobody writes to it any more.
    detached: true,
  });
  if (log !== undefined) closeSync(log);
  const lastWords = collectLastWords(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await spawned(child, binary);
  const pid = child.pid ?? 0;
  guard(pid, exited);
  child.unref();
  const end = (signal: NodeJS.Signals): Promise<void> => endChild(child, exited, signal);
  try {
    await untilServing(endpoint, options.tls, child);
  } catch (error) {
    await end('SIGKILL');
    const logged = options.logFile === undefined ? lastWords() : `see ${options.logFile}`;
    throw new Error(`etcd did not start at ${endpoint}: ${logged}`, { cause: error });
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => end(signal);
  return { endpoint, pid, clientPort, peerPort, exited, stop, kill: () => end('SIGKILL') };
}

function argumentsOf(options: LocalEtcdOptions, clientUrl: string, peerUrl: string): string[] {
  const flags: Record<string, string> = {
    name: 'local',
    'data-dir': options.dataDir,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `local=${peerUrl}`,
    // Alone it need not wait for the others' votes, so short terms only make it start sooner.
    'heartbeat-interval': '20',
    'election-timeout': '200',
    // The API server compacts.
    'auto-compaction-retention': '0',
    logger: 'zap',
    'log-level': 'warn',
  };
  if (options.quotaBytes !== undefined) flags['quota-backend-bytes'] = String(options.quotaBytes);
  if (options.tls) {
    flags['cert-file'] = options.tls.certFile;
    flags['key-file'] = options.tls.keyFile;
    flags['trusted-ca-file'] = options.tls.caFile;
    flags['client-cert-auth'] = 'true';
  }
  return [...Object.entries(flags).map(([name, value]) => `--${name}=${value}`), ...(options.extraArgs ?? [])];
}

/** A port that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}

async function spawned(child: ChildProcess, binary: string): Promise<void> {
  try {
    if (child.pid === undefined) await once(child, 'spawn');
  } catch (error) {
    throw new Error(`etcd cannot be run: ${binary}`, { cause: error });
  }
}

/** Keeps the end of what etcd says; enough for its reason to stop. */
function collectLastWords(child: ChildProcess): () => string {
  const keptCharacters = 4_000;
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-keptCharacters);
  });
  return () => reasonOf(words.trim().split('\n').at(-1) ?? '');
}

/** The reason in a line of etcd's log, which is JSON; the line itself where it is something else. */
function reasonOf(line: string): string {
  const reason = /"error":"((?:[^"\\]|\\.)*)"/.exec(line) ?? /"msg":"((?:[^"\\]|\\.)*)"/.exec(line);
  return reason?.[1] || line || 'it said nothing';
}

/**
 * Ends etcd when this process dies, however it does (even killed it cannot leave one behind): a shell waits for the
 * end of a pipe that nobody but this process holds. It ends with etcd.
 */
function guard(pid: number, exited: Promise<void>): void {
  const script = 'trap "" INT TERM HUP; read -r _; kill -TERM "$1"; kill -CONT "$1"';
  const shell = spawn('/bin/sh', ['-c', script, 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  void exited.then(() => shell.kill('SIGKILL'));
}

async function endChild(child: ChildProcess, exited: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Waiting for it must keep this process alive.
  child.ref();
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(late);
}

async function untilServing(endpoint: string, tls: LocalEtcdTls | undefined, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended');
    if (await isHealthy(endpoint, tls)) return;
    await sleep(pollMs);
  }
  throw new Error(`it did not serve within ${startTimeoutMs} ms`);
}

function isHealthy(endpoint: string, tls: LocalEtcdTls | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const answered = (response: http.IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const options = { timeout: 1_000, agent: false } as const;
    const url = `${endpoint}/health`;
    const request = tls ? https.get(url, { ...options, ...tls.client }, answered) : http.get(url, options, answered);
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
