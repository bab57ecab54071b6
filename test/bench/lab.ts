import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { clientConfigText } from '../../src/testing/client-config-text.ts';
import type { Contender } from './figures.ts';
import { type HttpClient, openClient, type LoadTarget } from './load/http-client.ts';
import type { BenchSettings } from './settings.ts';
import { programFile } from '../program-file.ts';

/** A process that is measured over HTTP. */
export interface Subject extends LoadTarget {
  readonly pid: number;
}

/** An API server under measurement. */
export interface ApiServer extends Subject {
  readonly contender: Exclude<Contender, 'bare'>;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const token = 'bench-token';

/** Users of the first server who are no administrators. */
const ordinaryUsers = ['hostile', 'guest', 'system:cl-scheduler'] as const;

/** Where in etcd the first server keeps its objects. */
export const registryPrefix = '/registry';

/** Everything that runs during a bench: etcd, the servers and the bare programs. All of it ends with `close`. */
export class Lab {
  readonly settings: BenchSettings;
  readonly directory: string;
  readonly etcd: Awaited<ReturnType<typeof startLocalEtcd>>;
  /** This server first, then the peer if there is one. */
  readonly servers: readonly ApiServer[];
  readonly #children = new Set<ChildProcess>();

  private constructor(settings: BenchSettings, directory: string, etcd: Lab['etcd'], servers: ApiServer[]) {
    this.settings = settings;
    this.directory = directory;
    this.etcd = etcd;
    this.servers = servers;
  }

  /** Starts etcd and this server. */
  static async open(settings: BenchSettings): Promise<Lab> {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-bench-'));
    await mkdir(path.join(directory, 'responses'));
    const users = ordinaryUsers.map((name) => `${name}-token,${name},${name}\n`);
    await writeFile(path.join(directory, 'tokens.csv'), `${token},bench,bench,"system:masters"\n${users.join('')}`);
    const etcd = await startLocalEtcd({ dataDir: path.join(directory, 'etcd'), quotaBytes: 2 ** 32 });
    const servers: ApiServer[] = [];
    const lab = new Lab(settings, directory, etcd, servers);
    servers.push({ contender: 'ours', ...(await lab.startServer(registryPrefix)) });
    if (settings.peer) {
      const { url, pid, token: peerToken } = settings.peer;
      servers.push({ contender: 'peer', url, pid, headers: { authorization: `Bearer ${peerToken}` } });
    }
    return lab;
  }

  /** This server. */
  get ours(): ApiServer {
    const [first] = this.servers;
    if (!first) throw new Error('the lab has no server');
    return first;
  }

  /** This server, as an ordinary user. */
  oursAs(user: (typeof ordinaryUsers)[number]): ApiServer {
    return { ...this.ours, headers: { authorization: `Bearer ${user}-token` } };
  }

  /** Starts one more server of ours, with further flags, and waits until it is ready. */
  async startServer(prefix: string, ...flags: readonly string[]): Promise<Subject> {
    const child = this.#spawn(process.execPath, [
      ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []),
      programFile('cl-apiserver'),
      `--etcd-servers=${this.etcd.endpoint}`,
      `--etcd-prefix=${prefix}`,
      '--secure-port=0',
      '--bind-address=127.0.0.1',
      `--cert-dir=${path.join(this.directory, 'pki')}`,
      `--token-auth-file=${path.join(this.directory, 'tokens.csv')}`,
      '--log-level=error',
      ...flags,
    ]);
    const url = /https:\S+/.exec(await firstLine(child))?.[0] ?? '';
    const subject = { url, pid: child.pid ?? 0, headers: { authorization: `Bearer ${token}` } };
    await untilReady(subject);
    return subject;
  }

  /** Starts the controllers of this server as a program, without an election. */
  async startControllerManager(): Promise<{ readonly pid: number; stop(): Promise<void> }> {
    const ca = await readFile(path.join(this.directory, 'pki', 'ca.crt'), 'utf8');
    const file = path.join(this.directory, 'bench.clientconfig');
    await writeFile(file, clientConfigText({ server: this.ours.url, ca, token }));
    const child = this.#spawn(process.execPath, [
      programFile('cl-controller-manager'),
      `--clientconfig=${file}`,
      '--health-port=0',
      '--leader-elect=false',
    ]);
    await firstLine(child);
    return { pid: child.pid ?? 0, stop: () => this.#stop(child) };
  }

  /** Starts a server of its own on the memory store, with added kinds. */
  async startKinds(count: number): Promise<Subject> {
    const child = this.#spawn(process.execPath, [path.join(here, 'kinds-server.js'), token, String(count)]);
    const subject = { url: await firstLine(child), pid: child.pid ?? 0, headers: { authorization: `Bearer ${token}` } };
    await untilReady(subject);
    return subject;
  }

  /** Starts a bare HTTP program with the server's certificate and further arguments. */
  async startBare(program: 'responses' | 'frames' | 'workload', ...args: readonly string[]): Promise<Subject> {
    const pki = (name: string): string => path.join(this.directory, 'pki', name);
    const script = path.join(here, 'bare', `${program}.js`);
    const child = this.#spawn(process.execPath, [script, pki('apiserver.crt'), pki('apiserver.key'), ...args]);
    return { url: `https://127.0.0.1:${await firstLine(child)}`, headers: {}, pid: child.pid ?? 0 };
  }

  /** Runs a program of the bench to its end and answers what it printed. */
  async run(script: string, ...args: readonly string[]): Promise<string> {
    const child = this.#spawn(process.execPath, [path.join(here, script), ...args]);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    this.#children.delete(child);
    return Buffer.concat(chunks).toString();
  }

  /** Starts a program of the bench that runs until `stop`. */
  start(script: string, ...args: readonly string[]): { stop(): Promise<void> } {
    const child = this.#spawn(process.execPath, [path.join(here, script), ...args]);
    return { stop: () => this.#stop(child) };
  }

  /** Ends one of the subjects that this lab has started. */
  async stopSubject({ pid }: Subject): Promise<void> {
    for (const child of this.#children) if (child.pid === pid) await this.#stop(child);
  }

  /** Puts bytes where the bare program for answers finds them under a name. */
  async keepResponse(name: string, body: Buffer): Promise<void> {
    await writeFile(path.join(this.directory, 'responses', name), body);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.#stop(child)));
    await this.etcd.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.add(child);
    return child;
  }

  async #stop(child: ChildProcess): Promise<void> {
    this.#children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(process.env['BENCH_NODE_OPTIONS'] ? 'SIGTERM' : 'SIGKILL');
    await closed;
  }
}

/** Opens connections to a place, does the work with them and closes them. */
export async function withClients<T>(
  place: LoadTarget,
  count: number,
  work: (clients: readonly HttpClient[]) => Promise<T>,
  version?: 'http1' | 'http2',
): Promise<T> {
  const clients = Array.from({ length: count }, () => openClient(place, version));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no standard output');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function untilReady(place: LoadTarget): Promise<void> {
  await withClients(place, 1, async ([client]) => {
    for (let attempt = 0; attempt < 1200; attempt++) {
      const ready = await client?.send({ path: '/readyz' }).then(
        () => true,
        () => false,
      );
      if (ready) return;
      await sleep(50);
    }
    throw new Error(`${place.url} does not become ready`);
  });
}
