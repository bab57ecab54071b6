import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ControllerOptions } from '../controllers/options/controller-flags.ts';
import { findEtcd, startLocalEtcd } from '../etcd/local-etcd.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import { type NodesOption, readNodeGroups } from '../nodes/agent/node-groups.ts';
import type { IdentifierSet } from '../identifiers/identifiers.ts';
import { createServer } from '../server/create-server.ts';
import { checkTestOptions } from './check-test-options.ts';
import { defaultServerOptions, type GivenServerOptions, type ServerOptions } from '../config/server-options.ts';
import type { StoreOptions } from '../config/flags/store-options.ts';
import { createClient } from '../client/client.ts';
import { replayFile } from '../recording/replay-file.ts';
import { clientConfigText } from './client-config-text.ts';
import { shareFiles } from './controller-files.ts';
import { startAgent } from './start-agent.ts';
import { isSnapshot } from '../recording/snapshot-file.ts';
import { restoreInto } from './restore-into.ts';
import { createsDefaultAccounts, runPlane } from './run-plane.ts';

/**
 * Options of a test server; all others have the server's defaults. Pods need no service account
 * unless the controllers run, which create the default accounts, or `admissionPlugins` enables
 * ServiceAccount.
 */
export interface TestServerOptions extends Omit<GivenServerOptions, 'store'> {
  /**
   * `memory` (default) is the fastest; `etcd` starts a separate etcd; an object configures an
   * existing store.
   */
  readonly store?: 'memory' | 'etcd' | StoreOptions;
  /**
   * Runs controllers in this process, without an election: the default ones, or the ones that the
   * list selects like `--controllers`. When the server is ready they have seen its objects and act
   * on changes; the objects that they make, such as default service accounts, follow soon. The
   * default is none.
   */
  readonly controllers?: boolean | readonly string[];
  /**
   * The options of the controllers, by the flags of `cl-controller-manager`. By default they sign
   * approved certificates with a CA of this server's clients, unless `clientCaFile` names another
   * one, and keep the tokens in Secrets.
   */
  readonly controllerOptions?: Partial<Omit<ControllerOptions, 'controllers'>>;
  /**
   * Stand-in nodes that are ready and run every pod by saying so: a number of them, `node-1` and so
   * on, or groups with their own capacity, labels, taints and stages. A minimal scheduler binds
   * pods to them. The default is none. Throws TypeError with the path of a member that is wrong.
   */
  readonly nodes?: NodesOption;
  /**
   * A file of `cl record` or `recordToFile`, whose objects are written before the controllers and
   * the nodes start; objects that the server refuses are in `replayProblems`. Or a file of `cl
   * snapshot save`: the store begins as it was, uids and times too, and the server needs the
   * identifiers and the prefix of the saved one. Rejects if the file is neither, if a snapshot is
   * damaged, or if the given store has keys already.
   */
  readonly from?: string;
  /**
   * The addresses, `127.0.0.1:3000`, to which the annotation `ports` of pods on stand-in nodes may
   * forward ports. The default is none.
   */
  readonly nodePortTargets?: readonly string[];
}

/**
 * A running control plane. Disposing of it (`await using`) stops it, its watches and its own etcd.
 */
export interface TestServer extends AsyncDisposable {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** PEM of the CA that signed the serving certificate. */
  readonly ca: string;
  /** Bearer token of an administrator (group `system:masters`). */
  readonly token: string;
  /** A client config file (YAML) for that administrator. */
  readonly clientConfig: string;
  /** The settings of that administrator's client: `createClient(server.connection)`. */
  readonly connection: ConnectionSettings;
  readonly identifiers: IdentifierSet;
  /** The lines and objects of `from` that were not written, with the reasons. */
  readonly replayProblems: readonly string[];
  /** The address of the server's etcd; undefined for other stores. */
  readonly etcdEndpoint: string | undefined;
  stop(): Promise<void>;
}

interface OwnStore {
  readonly options: StoreOptions;
  readonly stop: () => Promise<void>;
}

async function startEtcd(): Promise<OwnStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cl-testing-etcd-'));
  const etcd = await startLocalEtcd({ binary: await findEtcd(), dataDir });
  const stop = async (): Promise<void> => {
    await etcd.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { options: { kind: 'etcd', servers: [etcd.endpoint] }, stop };
}

async function storeFor(store: TestServerOptions['store']): Promise<OwnStore> {
  if (store === 'etcd') return await startEtcd();
  const options: StoreOptions = store === undefined || store === 'memory' ? { kind: 'memory' } : store;
  return { options, stop: async () => {} };
}

/**
 * Starts a control plane in this process, on a free port of the loopback interface. Any number can
 * run at once, with different identifiers. Rejects with TypeError for an option that is unknown or
 * wrong.
 *
 * @example
 * await using server = await startServer({ store: 'memory' });
 * const response = await fetch(`${server.url}/version`);
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  checkTestOptions({ ...options });
  const {
    store,
    controllers = false,
    controllerOptions = {},
    nodes = 0,
    nodePortTargets = [],
    from,
    tokens = [],
    ...rest
  } = options;
  const { admissionPlugins = defaultServerOptions.admissionPlugins, identifiers = 'cluster' } = options;
  const groups = readNodeGroups(nodes);
  const snapshot = from !== undefined && (await isSnapshot(from)) ? from : undefined;
  const own = await storeFor(store);
  const stops = [own.stop];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  const token = randomBytes(16).toString('hex');
  const administrator = { token, username: 'admin', groups: ['system:masters'] };
  try {
    const { prefix } = { ...defaultServerOptions, ...options };
    const filled = snapshot === undefined ? own.options : await restoreInto(own.options, snapshot, prefix);
    const files = controllers === false ? undefined : await shareFiles(rest, controllerOptions);
    if (files) stops.push(files.remove);
    const agent = groups.some(({ count }) => count > 0) ? await startAgent() : undefined;
    if (agent) stops.push(agent.stop);
    const server = await createServer({
      ...rest,
      ...files?.server,
      ...agent?.server,
      store: filled,
      tokens: [...tokens, administrator],
      admissionPlugins: createsDefaultAccounts(controllers) ? admissionPlugins : withoutAccounts(admissionPlugins),
    });
    stops.push(() => server.close());
    const { url, port, ca } = server;
    const connection = { server: url, ca, token, namespace: 'default' };
    const inProcess = { ...connection, direct: server.direct };
    const replayProblems = from === undefined || snapshot !== undefined ? [] : await replayInto(inProcess, from);
    stops.push(
      await runPlane(
        {
          controllers,
          options: files?.controllers ?? controllerOptions,
          nodes: groups,
          portTargets: nodePortTargets,
          agent: agent?.agent,
        },
        inProcess,
        identifiers,
      ),
    );
    return {
      url,
      port,
      ca,
      token,
      connection,
      replayProblems,
      clientConfig: clientConfigText({ server: url, ca, token }),
      identifiers,
      etcdEndpoint: own.options.kind === 'etcd' ? own.options.servers[0] : undefined,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function replayInto(settings: ConnectionSettings, file: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const client = createClient(settings, { userAgent: 'replay' });
  try {
    const onProblem = (problem: string): number => problems.push(problem);
    await replayFile(client, file, { onProblem }, new AbortController().signal);
  } finally {
    await client.close();
  }
  return problems;
}

/** Disables the plugin that needs the default accounts of namespaces, unless it is enabled. */
function withoutAccounts(choice: ServerOptions['admissionPlugins']): ServerOptions['admissionPlugins'] {
  const name = 'ServiceAccount';
  return choice.enabled.includes(name) ? choice : { ...choice, disabled: [...choice.disabled, name] };
}
