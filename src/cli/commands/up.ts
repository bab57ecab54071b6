import { whenAborted } from '../../async/when-aborted.ts';
import { mkdir } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { createTransport } from '../../client/transport.ts';
import { findEtcd, startLocalEtcd } from '../../etcd/local-etcd.ts';
import { type IdentifierSet, identifiersOf } from '../../identifiers/identifiers.ts';
import { type AuthorityFiles, ensureAuthority } from '../../pki/ensure-authority.ts';
import { ensureKeyFile } from '../../pki/key-files.ts';
import { ensureServingCertificates } from '../../pki/ensure-serving-certificates.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { type AdminConfig, writeAdminConfig } from '../up/admin-config.ts';
import { type ChildProgram, startChildProgram } from '../up/child-program.ts';
import { nextFreePort } from '../up/free-port.ts';
import { removeRunRecord, settleEarlierRun, writeRunRecord } from '../up/run-record.ts';
import { untilReady } from '../up/until-ready.ts';

/** Options of `cl up`. */
export interface UpCommandOptions {
  readonly dataDir: string;
  readonly identifiers: IdentifierSet;
  readonly etcd?: string;
  readonly store: 'etcd' | 'memory';
  readonly securePort: number;
  /** The number of stand-in nodes. */
  readonly nodes: number;
}

/** A started process. Processes are stopped in reverse order of starting, so that etcd is last. */
interface UpProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves with the way the process ended, '' if unknown. */
  readonly exited: Promise<string>;
  lastWords(): string;
  stop(): Promise<void>;
}

const address = '127.0.0.1';
const healthPort = 10_257;

/** `cl up`: runs a control plane until a signal arrives or a process fails. */
export async function up(options: UpCommandOptions, io: CliIo): Promise<void> {
  const dataDir = resolve(io.directory, options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await refuseSecondRun(dataDir, io);
  const parts: UpProcess[] = [];
  const failure = new AbortController();
  const signal = AbortSignal.any([io.signal, failure.signal]);
  const keep = async (part: UpProcess): Promise<void> => {
    parts.push(part);
    void part.exited.then((how) => failure.abort(unexpectedEnd(part, how)));
    await writeRunRecord(dataDir, {
      supervisor: process.pid,
      parts: Object.fromEntries(parts.map(({ name, pid }) => [name, pid])),
    });
  };
  try {
    await startParts({ ...options, dataDir }, { ...io, signal }, keep);
    await whenAborted(signal);
    if (!io.signal.aborted) throw failure.signal.reason;
    io.stderr.write('stopping\n');
  } catch (error) {
    if (!io.signal.aborted) throw failure.signal.reason ?? error;
  } finally {
    for (const part of parts.toReversed()) await part.stop();
    await removeRunRecord(dataDir);
  }
}

async function refuseSecondRun(dataDir: string, io: CliIo): Promise<void> {
  const other = await settleEarlierRun(dataDir, (name, pid) => {
    io.stderr.write(`ended ${name} (process ${pid}), left by an earlier run\n`);
  });
  if (other === 0) return;
  throw new CliError(`"cl up" already runs on ${dataDir} as process ${other}`, {
    hint: 'stop that process, or use another directory with --data-dir',
  });
}

/** Registers a started process; the run ends when one of them does. */
type Keep = (part: UpProcess) => Promise<void>;

async function startParts(options: UpCommandOptions, io: CliIo, keep: Keep): Promise<void> {
  const startedAt = performance.now();
  const { dataDir } = options;
  const identifiers = identifiersOf(options.identifiers);
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    ...['', '.default', '.default.svc'].map((end) => identifiers.product + end),
  ];
  const [serving, clientAuthority, , port, store] = await Promise.all([
    ensureServingCertificates(join(dataDir, 'pki'), names),
    ensureAuthority(join(dataDir, 'pki'), 'client-ca', 'client-ca'),
    ensureKeyFile(accountKeyFile(dataDir)),
    takePort(options.securePort, io),
    startStore(options, keep),
  ]);
  const server = `https://${address}:${port}`;
  const admin = await writeAdminConfig({ dataDir, identifiers, server, servingCaPem: serving.caPem, clientAuthority });
  if (io.signal.aborted) return;

  const apiServer = startChildProgram(
    'apiserver',
    'cl-apiserver',
    [
      `--identifiers=${options.identifiers}`,
      ...store.flags,
      `--bind-address=${address}`,
      `--secure-port=${port}`,
      `--tls-cert-file=${serving.certFile}`,
      `--tls-private-key-file=${serving.keyFile}`,
      `--client-ca-file=${clientAuthority.certFile}`,
      `--service-account-signing-key-file=${accountKeyFile(dataDir)}`,
      // The administrator is in system:masters; others have the rights of their roles.
      '--authorization-mode=RBAC',
    ],
    join(dataDir, 'logs', 'apiserver.log'),
  );
  await keep(apiServer);
  await apiServerReady(apiServer, admin, io.signal);
  if (io.signal.aborted) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const controllers = await startControllers(options, admin, clientAuthority, keep);
  if (options.nodes > 0) await runNodes(options, admin, io);
  io.stdout.write(
    `${[
      store.line,
      line('apiserver', `${server}, ready in ${seconds} s`),
      line('controllers', `http://${address}:${controllers}`),
      ...(options.nodes > 0 ? [line('nodes', `${options.nodes}, which run pods by saying so`)] : []),
      line('client config', shown(admin.configFile, io)),
      '',
      'Try:',
      `  ${cl(io)} --clientconfig ${shown(admin.configFile, io)} get namespaces`,
      `  curl --cacert ${shown(serving.caFile, io)} --cert ${shown(admin.certFile, io)} --key ${shown(admin.keyFile, io)} ${server}/api/v1/namespaces`,
      '',
      `Ctrl-C stops everything${options.store === 'memory' ? '' : '; the data stays'}.`,
    ].join('\n')}\n`,
  );
}

/** The key of the tokens of service accounts: the API server signs some, the controllers others. */
function accountKeyFile(dataDir: string): string {
  return join(dataDir, 'pki', 'service-account.key');
}

async function takePort(wanted: number, io: CliIo): Promise<number> {
  const port = await nextFreePort(wanted);
  if (port !== wanted) io.stderr.write(`port ${wanted} is taken; using ${port}\n`);
  return port;
}

interface StartedStore {
  readonly flags: readonly string[];
  readonly line: string;
}

async function startStore(options: UpCommandOptions, keep: Keep): Promise<StartedStore> {
  if (options.store === 'memory') {
    return { flags: ['--store=memory'], line: line('store', 'in memory; nothing is kept') };
  }
  const dataDir = join(options.dataDir, 'etcd');
  const logFile = join(options.dataDir, 'logs', 'etcd.log');
  await mkdir(join(options.dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const etcd = await startLocalEtcd({ dataDir, logFile, binary: options.etcd ?? (await etcdBinary()) });
  await keep({
    name: 'etcd',
    pid: etcd.pid,
    exited: etcd.exited.then(() => ''),
    lastWords: () => `see ${logFile}`,
    stop: () => etcd.stop(),
  });
  return { flags: [`--etcd-servers=${etcd.endpoint}`], line: line('etcd', `${etcd.endpoint}, data in ${dataDir}`) };
}

async function etcdBinary(): Promise<string> {
  try {
    return await findEtcd();
  } catch (cause) {
    throw new CliError(`no etcd was found: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'put etcd on the PATH, name one with --etcd, or use --store=memory',
      cause,
    });
  }
}

async function apiServerReady(program: ChildProgram, { settings }: AdminConfig, signal: AbortSignal): Promise<void> {
  const transport = createTransport(settings);
  try {
    await untilReady(program, () => transport.request({ method: 'GET', path: '/readyz', signal }), signal);
  } finally {
    await transport.close();
  }
}

async function startControllers(
  options: UpCommandOptions,
  admin: AdminConfig,
  { certFile, keyFile }: AuthorityFiles,
  keep: Keep,
): Promise<number> {
  const port = await nextFreePort(healthPort);
  const controllers = startChildProgram(
    'controllers',
    'cl-controller-manager',
    [
      `--identifiers=${options.identifiers}`,
      `--clientconfig=${admin.configFile}`,
      `--health-port=${port}`,
      `--cluster-signing-cert-file=${certFile}`,
      `--cluster-signing-key-file=${keyFile}`,
      `--service-account-private-key-file=${accountKeyFile(options.dataDir)}`,
      '--use-service-account-credentials',
    ],
    join(options.dataDir, 'logs', 'controllers.log'),
  );
  await keep(controllers);
  return port;
}

/** Runs the stand-in nodes in this process, because they only call the API. */
async function runNodes({ identifiers, nodes }: UpCommandOptions, admin: AdminConfig, io: CliIo): Promise<void> {
  const { startNodes } = await import('../../nodes/start-nodes.ts');
  const onError = (error: unknown): void => {
    io.stderr.write(`nodes: ${error instanceof Error ? error.message : String(error)}\n`);
  };
  const options = { settings: admin.settings, identifiers: identifiersOf(identifiers), count: nodes, onError };
  await startNodes(options, io.signal);
}

function unexpectedEnd(part: UpProcess, how: string): CliError {
  return new CliError(`${part.name} (process ${part.pid}) ended${how && ` with ${how}`}: ${part.lastWords()}`, {
    hint: 'the other parts were stopped',
  });
}

function line(name: string, text: string): string {
  return `${name.padEnd(13)} ${text}`;
}

/** Shortens paths below the current directory. */
function shown(path: string, io: CliIo): string {
  const short = relative(io.directory, path);
  return short.startsWith('..') ? path : short;
}

/**
 * The command by which this program was started, so that the printed example works without
 * installation.
 */
function cl(io: CliIo): string {
  const script = process.argv[1] ?? '';
  return basename(script) === 'cl.js' ? `node ${shown(script, io)}` : 'cl';
}
