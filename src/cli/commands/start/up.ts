import type { Invocation } from '../../command.ts';
import { upFlags } from './flags.ts';
import { loadLazyModules } from '../../../package/lazy-module.ts';
import { whenAborted } from '../../../async/abort-signals.ts';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from '../../../client/transport.ts';
import { findEtcd, startLocalEtcd } from '../../../etcd/local-etcd.ts';
import { identifiersOf } from '../../../identifiers/identifiers.ts';
import { type AuthorityFiles, ensureAuthority } from '../../../pki/ensure-authority.ts';
import { ensureKeyFile } from '../../../pki/key-files.ts';
import { apiServerNames } from '../../../pki/server-names.ts';
import { makeDirectory } from '../../../files/make-directory.ts';
import { ensureServingCertificates, type ServingCertificates } from '../../../pki/ensure-serving-certificates.ts';
import { type Flag, flagName } from '../../../flags/flag-table.ts';
import { CliError } from '../../cli-error.ts';
import { dataDirOf, planeArguments } from '../../up/known-planes.ts';
import { startDetached } from '../../up/start-detached.ts';
import type { AgentServer } from '../../../nodes/agent-server/start-agent-server.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import type { CliIo } from '../../cli-io.ts';
import { withProgress } from '../../progress.ts';
import { recordOwnConfig } from '../../own-configs.ts';
import { type AdminConfig, writeAdminConfig } from '../../up/admin-config.ts';
import { auditLogOf } from '../../up/audit-flags.ts';
import { startChildProgram } from '../../up/child-program.ts';
import type { NodeGroup } from '../../../nodes/agent/node-groups.ts';
import type { FirstObjects } from '../../up/first-objects.ts';
import { refuseIncompleteStore } from '../../up/restore-mark.ts';
import { RunParts } from '../../up/run-parts.ts';
import { shownPath, startedAs } from '../../up/started-as.ts';
import { endEarlierRun } from '../../up/run-record.ts';
import { startOnFreePort } from '../../up/start-on-free-port.ts';

const address = '127.0.0.1';
const healthPort = 10_257;

/** The flags, with the arguments of the programs that are started. */
type UpOptions = Invocation<typeof upFlags>['options'] & {
  readonly groups: readonly NodeGroup[];
  readonly programs: Awaited<ReturnType<typeof argumentsOf>>;
};

/** The tables of these flags are large, so they are loaded only if there are any. */
async function argumentsOf(more: readonly string[]) {
  if (more.length === 0) return { server: [], controllers: [] };
  const { argumentsByProgram } = await import('../../up/plane-flags.ts');
  return argumentsByProgram(more);
}

/** `cl up`: runs a control plane until a signal arrives or a process fails. */
export async function up({ options, more, given, io }: Invocation<typeof upFlags>): Promise<void> {
  const dataDir = dataDirOf(options, io);
  const groups = await groupsOf(options, io);
  if (options.detach) {
    const args = argumentsAgain(options, more, given);
    return startDetached(dataDir, { args, chosen: planeArguments(options), io });
  }
  await makeDataFolder(dataDir);
  await refuseSecondRun(dataDir, planeArguments(options), io);
  const parts = new RunParts(dataDir);
  const signal = AbortSignal.any([io.signal, parts.failure]);
  try {
    await startParts({ ...options, dataDir, groups, programs: await argumentsOf(more) }, { ...io, signal }, parts);
    await whenAborted(signal);
    if (!io.signal.aborted) throw parts.failure.reason;
    io.stderr.write('stopping\n');
  } catch (error) {
    if (!io.signal.aborted) throw parts.failure.reason ?? error;
  } finally {
    await parts.stop();
  }
}

/** The prefix of the keys of a server with these arguments, of which the last one counts. */
function prefixOf(args: readonly string[]): string {
  const flag = '--etcd-prefix=';
  return args.findLast((arg) => arg.startsWith(flag))?.slice(flag.length) ?? '/registry';
}

/** The objects of `--from`; the code that reads files is loaded only if there is one. */
async function firstObjectsOf({ from, store }: UpOptions, io: CliIo): Promise<FirstObjects | undefined> {
  if (from === undefined) return undefined;
  const { firstObjects } = await import('../../up/first-objects.ts');
  return firstObjects(from, store, io);
}

/** The groups of nodes; the code that reads them is loaded only if there are any. */
async function groupsOf(options: Invocation<typeof upFlags>['options'], io: CliIo): Promise<readonly NodeGroup[]> {
  const { nodes, nodesFile, nodeCapacity, nodeLabels, nodeTaints, nodeStages } = options;
  const details = [nodeCapacity, nodeLabels, nodeTaints, nodeStages];
  if (nodes === 0 && details.every(({ length }) => length === 0) && nodesFile === undefined) return [];
  const { nodeGroupsOf } = await import('../../up/node-flags.ts');
  return nodeGroupsOf(options, io.directory);
}

/** The arguments of the same run in the foreground. */
function argumentsAgain(
  options: Invocation<typeof upFlags>['options'],
  more: readonly string[],
  given: Invocation['given'],
): readonly string[] {
  const rows = Object.entries<Flag>(upFlags).filter(
    ([option]) => option !== 'detach' && option !== 'name' && given(option),
  );
  const values: Readonly<Record<string, unknown>> = options;
  const own = rows.map(([option, row]) => `--${flagName(option, row)}=${row.type.format(values[option])}`);
  return [...own.filter((arg) => !/^--(?:data-dir|config)=/.test(arg)), ...more];
}

async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeDirectory(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new CliError(`${dataDir} cannot be the data folder: ${cause instanceof Error ? cause.message : 'unknown'}`, {
      hint: 'choose another one with --data-dir',
      cause,
    });
  }
}

async function refuseSecondRun(dataDir: string, chosen: string, io: CliIo): Promise<void> {
  const other = await endEarlierRun(dataDir, (name, pid) => {
    io.stderr.write(`ended ${name} (process ${pid}), left by an earlier run\n`);
  });
  if (other === 0) return;
  throw new CliError(`"cl up" already runs on ${dataDir} as process ${other}`, {
    hint: `stop it with "cl up down${chosen}", or use another directory with --data-dir`,
  });
}

async function startParts(given: UpOptions, io: CliIo, parts: RunParts): Promise<void> {
  // A download does not count as a part of the start's time.
  const options = given.store === 'etcd' ? { ...given, etcd: given.etcd ?? (await etcdBinary(io)) } : given;
  const startedAt = performance.now();
  if (options.store === 'etcd' && options.from === undefined) refuseIncompleteStore(options.dataDir);
  const first = await firstObjectsOf(options, io);
  const [certificates, store] = await Promise.all([ensureCertificates(options), startStore(options, parts)]);
  if (store.endpoint !== undefined && first) {
    await first.fillStore(store.endpoint, prefixOf(options.programs.server), options.dataDir);
  }
  const agent = await startAgent(options, io);
  const apiServer = await startApiServer({ ...options, agent }, certificates, store, parts, io);
  const { admin } = apiServer;
  await recordOwnConfig(admin.configFile, io).catch((error: Error) => {
    io.stderr.write(`the client config counts only if it is named: ${error.message}\n`);
  });
  if (io.signal.aborted) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const objects = await first?.fillServer(admin.settings);
  const controllers = await startControllers(options, admin, certificates.clientAuthority, parts, io);
  const nodeCount = options.groups.reduce((sum, { count }) => sum + count, 0);
  if (nodeCount > 0) await runNodes({ ...options, agent }, admin, io);
  io.stdout.write(
    `${[
      store.line,
      line('apiserver', `${apiServer.url}, ready in ${seconds} s`),
      ...(objects === undefined ? [] : [line('objects', objects)]),
      line('controllers', controllers),
      ...(nodeCount > 0 ? [line('nodes', `${nodeCount}, which run pods by saying so`)] : []),
      line('client config', shownPath(admin.configFile, io)),
      '',
      'Try:',
      `  ${startedAs(process.argv[1] ?? '', io)} --clientconfig ${shownPath(admin.configFile, io)} get namespaces`,
      `  curl --cacert ${shownPath(certificates.serving.caFile, io)} --cert ${shownPath(admin.certFile, io)} --key ${shownPath(admin.keyFile, io)} ${apiServer.url}/api/v1/namespaces`,
      '',
      `Ctrl-C stops everything${options.store === 'memory' ? '' : '; the data stays'}.`,
    ].join('\n')}\n`,
  );
}

interface Certificates {
  readonly serving: ServingCertificates;
  readonly clientAuthority: AuthorityFiles;
}

/** Makes the certificates and keys of the data directory, unless they exist. */
async function ensureCertificates({ dataDir, identifiers }: UpOptions): Promise<Certificates> {
  const [serving, clientAuthority] = await Promise.all([
    ensureServingCertificates(join(dataDir, 'pki'), apiServerNames(identifiersOf(identifiers))),
    ensureAuthority(join(dataDir, 'pki'), 'client-ca', 'client-ca'),
    ensureKeyFile(accountKeyFile(dataDir)),
  ]);
  return { serving, clientAuthority };
}

/** The key of the tokens of service accounts: the API server signs some, the controllers others. */
function accountKeyFile(dataDir: string): string {
  return join(dataDir, 'pki', 'service-account.key');
}

interface StartedStore {
  readonly flags: readonly string[];
  /** The address of etcd; undefined in memory. */
  readonly endpoint?: string;
  readonly line: string;
}

async function startStore(options: UpOptions, parts: RunParts): Promise<StartedStore> {
  if (options.store === 'memory') {
    return { flags: ['--store=memory'], line: line('store', 'in memory; nothing is kept') };
  }
  const dataDir = join(options.dataDir, 'etcd');
  const logFile = join(options.dataDir, 'logs', 'etcd.log');
  await makeDirectory(join(options.dataDir, 'logs'));
  const etcd = await startLocalEtcd({ dataDir, logFile, ...(options.etcd ? { binary: options.etcd } : {}) });
  await parts.add({
    name: 'etcd',
    pid: etcd.pid,
    endpoint: etcd.endpoint,
    exited: etcd.exited,
    logFile,
    lastWords: () => etcd.lastWords(),
    stop: () => etcd.stop(),
  });
  const { endpoint } = etcd;
  return { flags: [`--etcd-servers=${endpoint}`], endpoint, line: line('etcd', `${endpoint}, data in ${dataDir}`) };
}

async function etcdBinary(io: CliIo): Promise<string> {
  try {
    return await withProgress(io, (report) => {
      report('etcd is not on the PATH: fetching it');
      return findEtcd();
    });
  } catch (cause) {
    throw new CliError(`no etcd was found: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'put etcd on the PATH, name one with --etcd, or use --store=memory',
      cause,
    });
  }
}

interface StartedApiServer {
  readonly url: string;
  readonly admin: AdminConfig;
}

async function startApiServer(
  options: UpOptions & { readonly agent: StartedAgent | undefined },
  { serving, clientAuthority }: Certificates,
  store: StartedStore,
  parts: RunParts,
  io: CliIo,
): Promise<StartedApiServer> {
  const identifiers = identifiersOf(options.identifiers);
  const { dataDir } = options;
  const audit = await auditLogOf(options.programs.server, { dataDir, directory: io.directory, identifiers });
  if (audit.path !== undefined) parts.keepsAuditLog(audit.path);
  const start = async (port: number): Promise<StartedApiServer> => {
    const url = `https://${address}:${port}`;
    const admin = await writeAdminConfig({
      dataDir: options.dataDir,
      identifiers,
      server: url,
      servingCaPem: serving.caPem,
      clientAuthority,
    });
    const flags = [
      `--identifiers=${options.identifiers}`,
      ...store.flags,
      `--bind-address=${address}`,
      `--secure-port=${port}`,
      `--tls-cert-file=${serving.certFile}`,
      `--tls-private-key-file=${serving.keyFile}`,
      `--client-ca-file=${clientAuthority.certFile}`,
      `--service-account-signing-key-file=${accountKeyFile(options.dataDir)}`,
      // The administrator is in system:masters; others have the rights of their roles.
      ...(options.programs.server.some((arg) => arg.startsWith('--authorization-'))
        ? []
        : ['--authorization-mode=RBAC']),
      ...(options.agent ? [`--stand-in-agent-clientconfig=${options.agent.file}`] : []),
      ...options.programs.server,
      ...audit.flags,
    ];
    const transport = createTransport(admin.settings);
    try {
      await parts.start(
        startChildProgram('apiserver', 'cl-apiserver', flags, logOf(options, 'apiserver')),
        () => transport.request({ method: 'GET', path: '/readyz', signal: io.signal }),
        io.signal,
      );
    } finally {
      await transport.close();
    }
    return { url, admin };
  };
  const { port, started } = await startOnFreePort(options.securePort, start);
  if (port !== options.securePort) io.stderr.write(`port ${options.securePort} is taken; using ${port}\n`);
  return started;
}

/** Returns the URL of the health endpoints. */
async function startControllers(
  options: UpOptions,
  admin: AdminConfig,
  { certFile, keyFile }: AuthorityFiles,
  parts: RunParts,
  io: CliIo,
): Promise<string> {
  const { started } = await startOnFreePort(healthPort, async (port) => {
    const flags = [
      `--identifiers=${options.identifiers}`,
      `--clientconfig=${admin.configFile}`,
      `--health-port=${port}`,
      `--cluster-signing-cert-file=${certFile}`,
      `--cluster-signing-key-file=${keyFile}`,
      `--service-account-private-key-file=${accountKeyFile(options.dataDir)}`,
      '--use-service-account-credentials',
      ...options.programs.controllers,
    ];
    const url = `http://${address}:${port}`;
    const program = startChildProgram('controllers', 'cl-controller-manager', flags, logOf(options, 'controllers'));
    // A request would not show that the answer is this program's.
    const check = async (): Promise<void> => {
      if (!program.logged().includes(url)) throw new Error(`nothing is served on ${url} yet`);
    };
    await parts.start(program, check, io.signal);
    return url;
  });
  return started;
}

function logOf({ dataDir }: UpOptions, name: string): string {
  return join(dataDir, 'logs', `${name}.log`);
}

/** The agent of the stand-in nodes, and the file with which the API server reaches it. */
interface StartedAgent {
  readonly server: AgentServer;
  readonly file: string;
}

/** Starts the agent of the stand-in nodes, which ends with the signal; undefined without nodes. */
async function startAgent({ dataDir, identifiers, groups }: UpOptions, io: CliIo): Promise<StartedAgent | undefined> {
  if (!groups.some(({ count }) => count > 0)) return undefined;
  const { startAgentServer } = await import('../../../nodes/agent-server/start-agent-server.ts');
  const server = await startAgentServer();
  const file = join(dataDir, `stand-in-agent.${identifiersOf(identifiers).clientConfig}`);
  await replaceFile(file, server.clientConfig, 0o600);
  void whenAborted(io.signal).then(() => server.stop());
  return { server, file };
}

/** Runs the stand-in nodes in this process, because they only call the API. */
async function runNodes(
  {
    identifiers,
    groups,
    nodePortTargets: portTargets,
    agent,
  }: UpOptions & { readonly agent: StartedAgent | undefined },
  admin: AdminConfig,
  io: CliIo,
): Promise<void> {
  const { startNodes } = await import('../../../nodes/start-nodes.ts');
  const onError = (error: unknown): void => {
    io.stderr.write(`nodes: ${error instanceof Error ? error.message : String(error)}\n`);
  };
  const options = {
    settings: admin.settings,
    identifiers: identifiersOf(identifiers),
    groups,
    portTargets,
    ...(agent ? { agent: agent.server } : {}),
    onError,
  };
  await startNodes(options, io.signal);
  // The files of the program may be replaced while the nodes run.
  loadLazyModules().catch(onError);
}

function line(name: string, text: string): string {
  return `${name.padEnd(13)} ${text}`;
}
