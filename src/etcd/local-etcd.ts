import { type ChildProcess, spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory } from '../files/make-directory.ts';
import { readLogEnd } from '../files/read-log-end.ts';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../package/package-root.ts';

/** Options of a local etcd process. */
interface LocalEtcdOptions {
  /** Kept between runs; created if missing. */
  readonly dataDir: string;
  /** Path of etcd; by default `findEtcd` provides it. */
  readonly binary?: string;
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** 0 or undefined takes a free port. */
  readonly clientPort?: number;
  readonly peerPort?: number;
  /**
   * File to which etcd's log is appended. By default only the last lines are kept, for the error if
   * it does not start.
   */
  readonly logFile?: string;
  /** Size of the data after which etcd refuses writes; etcd's own default is 2 GB. */
  readonly quotaBytes?: number;
  /** Serves clients over TLS, and requires client certificates of the same authority. */
  readonly tls?: LocalEtcdTls;
  readonly extraArgs?: readonly string[];
}

/** Paths of PEM files for etcd, and a client's credentials for the health check. */
interface LocalEtcdTls {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly client: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}

/** A running etcd process; it ends at the latest with this process. */
interface LocalEtcd {
  /** `http://127.0.0.1:<port>`, or with another host or https. */
  readonly endpoint: string;
  readonly pid: number;
  readonly clientPort: number;
  readonly peerPort: number;
  /** Resolves when the process has exited, with the way, such as `exit code 2`. */
  readonly exited: Promise<string>;
  /** Returns the reason of its end; '' if its log has none. */
  lastWords(): string;
  /**
   * Sends a signal (SIGTERM by default), kills the process if it does not exit within 5 s, and
   * waits until it has exited.
   */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Kills the process, as a crash would, and waits until it has exited. */
  kill(): Promise<void>;
}

/**
 * A new member on an idle machine serves after a third of a second; a busy machine needs longer.
 */
const startTimeoutMs = 20_000;
const pollMs = 10;
const stopTimeoutMs = 5_000;

/**
 * Starts a single etcd and waits until it serves. If it does not, throws with etcd's last log
 * message.
 */
export async function startLocalEtcd(options: LocalEtcdOptions): Promise<LocalEtcd> {
  const [binary] = await Promise.all([options.binary ?? findEtcd(), makeDirectory(options.dataDir)]);
  try {
    return await startOnce(binary, options);
  } catch (error) {
    // Another process may have taken the free port meanwhile; the second attempt chooses another
    // one.
    const chosen = !options.clientPort || !options.peerPort;
    if (!chosen || !/address already in use/.test(String(error))) throw error;
    return startOnce(binary, options);
  }
}

async function startOnce(binary: string, options: LocalEtcdOptions): Promise<LocalEtcd> {
  const [clientPort, peerPort] = await Promise.all([options.clientPort || freePort(), options.peerPort || freePort()]);
  const { host = '127.0.0.1', logFile } = options;
  const endpoint = `${options.tls ? 'https' : 'http'}://${host}:${clientPort}`;
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const begin = log === undefined ? 0 : fstatSync(log).size;
  const child = spawn(binary, argumentsOf(options, endpoint, `http://${host}:${peerPort}`), {
    stdio: ['ignore', 'ignore', log ?? 'pipe'],
    // Ctrl-C in the terminal signals only this process, which stops etcd after its last write.
    detached: true,
  });
  if (log !== undefined) closeSync(log);
  const logged = logFile === undefined ? collectOutput(child) : () => readLogEnd(logFile, begin);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => resolve(error.message));
  });
  await spawned(child, binary);
  const pid = child.pid ?? 0;
  guard(pid, exited);
  child.unref();
  const lastWords = (): string => lastReason(logged());
  const end = (signal: NodeJS.Signals): Promise<void> => endChild(child, exited, signal);
  try {
    await untilServing(endpoint, options.tls, child);
  } catch (error) {
    await end('SIGKILL');
    const details = logFile === undefined ? '' : ` (its whole log is ${logFile})`;
    throw new Error(`etcd did not start at ${endpoint}: ${lastWords() || 'it gave no reason'}${details}`, {
      cause: error,
    });
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => end(signal);
  return { endpoint, pid, clientPort, peerPort, exited, lastWords, stop, kill: () => end('SIGKILL') };
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
    // A single member has no elections with others; short terms make it start sooner.
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

/** A port that is free at this moment. */
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
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`etcd cannot be run: ${binary}${reason}`, { cause: error });
  }
}

/** Collects the end of etcd's stderr. */
function collectOutput(child: ChildProcess): () => string {
  const keptCharacters = 4_000;
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptCharacters);
  });
  return () => output;
}

/**
 * The reason in etcd's log: of its last record of an error, or of a panic, whose stack trace is
 * left out; of the last line if there is neither, but '' for a mere warning.
 */
function lastReason(log: string): string {
  const lines = log.trim().split('\n');
  const record = lines.findLast((line) => /^\{"level":"(?:error|fatal|panic|dpanic)"/.test(line));
  const reason = record && (textOf(record, 'error') ?? textOf(record, 'msg'));
  const line = reason ?? lines.find((each) => /^(?:panic|fatal error): /.test(each)) ?? lines.at(-1) ?? '';
  return line.startsWith('{"level":"warn"') ? '' : line;
}

function textOf(record: string, member: string): string | undefined {
  return new RegExp(`"${member}":"((?:[^"\\\\]|\\\\.)*)"`).exec(record)?.[1];
}

/**
 * Ends etcd when this process ends, even by SIGKILL: a shell waits for the end of a pipe whose
 * other end only this process holds. The shell is killed when etcd exits.
 */
function guard(pid: number, exited: Promise<unknown>): void {
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

async function endChild(child: ChildProcess, exited: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Keeps this process alive until etcd has exited.
  child.ref();
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(late);
}

async function untilServing(endpoint: string, tls: LocalEtcdTls | undefined, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('etcd exited');
    if (await isHealthy(endpoint, tls)) return;
    await sleep(pollMs);
  }
  throw new Error(`etcd did not answer within ${startTimeoutMs} ms`);
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

/**
 * The path of an etcd binary, from the package's `hack/etcd.sh`, which may download one. If there
 * is none, throws an error that explains what to do.
 */
export async function findEtcd(): Promise<string> {
  const script = join(packageRoot(), 'hack', 'etcd.sh');
  try {
    const { stdout } = await promisify(execFile)('bash', [script]);
    return stdout.trim();
  } catch (error) {
    const problem = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(problem || `${script} found no etcd`, { cause: error });
  }
}
