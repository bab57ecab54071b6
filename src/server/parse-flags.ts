import { Command, InvalidArgumentError, Option } from 'commander';
import { choiceFault, pluginNames } from '../admission/create-chain.ts';
import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import { type IdentifierSet, identifierSets } from '../identifiers/identifiers.ts';
import { parseDuration } from '../meta/duration.ts';
import { packageVersion } from '../package/package-version.ts';
import { parseAddressRange, parsePortRange } from '../resources/core/services/address-range.ts';
import { defaultServerOptions, type ServerOptions, type StoreOptions } from './server-options.ts';

/** The port of the API where no flag names one. */
const defaultSecurePort = 6443;

interface Flags {
  readonly identifiers: IdentifierSet;
  readonly store: 'etcd' | 'memory';
  readonly storageEndpoint?: string;
  readonly etcdServers: readonly string[];
  readonly etcdPrefix: string;
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly etcdCompactionInterval: number;
  readonly eventTtl: number;
  readonly watchHistory: number;
  readonly cacheCheckInterval: number;
  readonly bindAddress: string;
  readonly advertiseAddress?: string;
  readonly securePort: number;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly certDir: string;
  readonly clientCaFile?: string;
  readonly tokenAuthFile?: string;
  readonly anonymousAuth?: boolean;
  readonly authorizationAlwaysAllowPaths: readonly string[];
  readonly authorizationMode: 'AlwaysAllow' | 'AlwaysDeny';
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  readonly requestTimeout: number;
  readonly stuckReaderTimeout: number;
  readonly idleTimeout: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxWatchesInflight: number;
  readonly maxBodyBytesInflight: number;
  readonly maxAnswerBytesInflight: number;
  readonly shutdownDelayDuration: number;
  readonly logLevel: ServerOptions['logLevel'];
}

function durationMs(text: string): number {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds < 0n) throw new InvalidArgumentError('use a duration like 30s or 5m.');
  return Number(nanoseconds / 1_000_000n);
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('use 0 to 65535.');
  return value;
}

/** A number of things, or of bytes. */
function amount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0 || text.trim() === '') throw new InvalidArgumentError('use 0 or more.');
  return value;
}

/** A bound of which 0 would not be none: it would refuse every client. */
function someConnections(text: string): number {
  const value = amount(text);
  if (value === 0) throw new InvalidArgumentError('use 1 or more.');
  return value;
}

/** The largest body that is taken, and what keeping its pieces costs; a smaller budget would refuse it at any time. */
const leastBodyBudgetBytes = 4 * 1024 * 1024;

function bodyBudget(text: string): number {
  const value = amount(text);
  if (value === 0 || value >= leastBodyBudgetBytes) return value;
  throw new InvalidArgumentError(`use 0, or at least ${leastBodyBudgetBytes}.`);
}

/** A time that ends connections; 0 would end each one at once. */
function positiveDurationMs(text: string): number {
  const value = durationMs(text);
  if (value === 0) throw new InvalidArgumentError('use more than 0.');
  return value;
}

function network(text: string): string {
  if (!parseAddressRange(text)) throw new InvalidArgumentError('use a network like 10.0.0.0/24.');
  return text;
}

function ports(text: string): string {
  if (!parsePortRange(text)) throw new InvalidArgumentError('use ports like 30000-32767.');
  return text;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

function paths(text: string): string[] {
  const given = list(text);
  const fault = given.map(alwaysAllowPathFault).find(Boolean);
  if (fault) throw new InvalidArgumentError(`${fault}.`);
  return given;
}

/** `--anonymous-auth` alone means true, as Go's flags have it; commander splits `--flag=false` by itself. */
function boolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new InvalidArgumentError('use true or false.');
}

function command(): Command {
  return new Command('cl-apiserver')
    .description('Serves the API of a cluster control plane from an etcd cluster.')
    .version(packageVersion(), '--version', 'print the version of this program')
    .addOption(
      new Option('--identifiers <set>', 'spellings of groups, labels and names')
        .choices([...identifierSets])
        .default('cluster'),
    )
    .addOption(new Option('--store <kind>', 'where objects are kept').choices(['etcd', 'memory']).default('etcd'))
    .option('--storage-endpoint <url>', 'a store in another process instead: grpc://host:port or grpcs://host:port')
    .option('--etcd-servers <urls>', 'comma-separated endpoints of etcd', list, ['http://127.0.0.1:2379'])
    .option('--etcd-prefix <prefix>', 'prefix of every key', defaultServerOptions.prefix)
    .option('--etcd-cafile <file>', 'CA of the certificates of etcd')
    .option('--etcd-certfile <file>', 'client certificate for etcd')
    .option('--etcd-keyfile <file>', 'key of the client certificate for etcd')
    .option('--etcd-compaction-interval <duration>', 'time between compactions; 0 never compacts', durationMs, 300_000)
    .option('--event-ttl <duration>', 'how long Events are kept; 0 keeps them', durationMs, 3_600_000)
    .option('--watch-history <duration>', 'how far back a watch can start from memory', durationMs, 300_000)
    .option(
      '--cache-check-interval <duration>',
      'time between comparisons of cache and store; 0 never',
      durationMs,
      300_000,
    )
    .option('--bind-address <address>', 'address to listen on', '0.0.0.0')
    .option(
      '--advertise-address <address>',
      'address on which others reach this server; by default one of this machine',
    )
    .option('--secure-port <port>', 'port to listen on; 0 takes a free one', port, defaultSecurePort)
    .option('--tls-cert-file <file>', 'serving certificate, with intermediates')
    .option('--tls-private-key-file <file>', 'key of the serving certificate')
    .option('--cert-dir <directory>', 'where a CA and a serving certificate are made when none is given', 'pki')
    .option('--client-ca-file <file>', 'CA bundle that client certificates are verified against')
    .option('--token-auth-file <file>', 'CSV of token,user,uid,"group1,group2"')
    .option(
      '--anonymous-auth [boolean]',
      'serve requests without credentials as system:anonymous; by default not where the mode is AlwaysAllow',
      boolean,
    )
    .addOption(
      new Option('--authorization-mode <mode>', 'who may do what')
        .choices(['AlwaysAllow', 'AlwaysDeny'])
        .default('AlwaysAllow'),
    )
    .option(
      '--authorization-always-allow-paths <paths>',
      'paths that everyone may read, without credentials too',
      paths,
      defaultServerOptions.alwaysAllowPaths,
    )
    .option(
      '--enable-admission-plugins <names>',
      `plugins to run, besides the default ones: ${pluginNames.join(', ')}`,
      list,
      [],
    )
    .option('--disable-admission-plugins <names>', 'default plugins that do not run', list, [])
    .option(
      '--service-cluster-ip-range <network>',
      'network from which services are given addresses',
      network,
      defaultServerOptions.serviceClusterIpRange,
    )
    .option(
      '--service-node-port-range <ports>',
      'ports on nodes that services are given',
      ports,
      defaultServerOptions.serviceNodePortRange,
    )
    .option('--request-timeout <duration>', 'longest time of an ordinary request', durationMs, 60_000)
    .option(
      '--stuck-reader-timeout <duration>',
      'a reader that takes nothing of its answer for so long is cut; 0 never',
      durationMs,
      defaultServerOptions.stuckReaderMs,
    )
    .option(
      '--idle-timeout <duration>',
      'a connection without a request is closed after so long',
      positiveDurationMs,
      defaultServerOptions.idleTimeoutMs,
    )
    .option('--max-connections <number>', 'open connections', someConnections, defaultServerOptions.maxConnections)
    .option(
      '--max-connections-per-address <number>',
      'open connections of one address, or of one /64 network of IPv6',
      someConnections,
      defaultServerOptions.maxConnectionsPerAddress,
    )
    .option(
      '--max-requests-inflight <number>',
      'requests at a time that change nothing, watches apart; 0 is no limit',
      amount,
      defaultServerOptions.maxRequestsInFlight,
    )
    .option(
      '--max-mutating-requests-inflight <number>',
      'requests at a time that may change something; 0 is no limit',
      amount,
      defaultServerOptions.maxMutatingRequestsInFlight,
    )
    .option(
      '--max-watches-inflight <number>',
      'watches at a time; 0 is no limit',
      amount,
      defaultServerOptions.maxWatchesInFlight,
    )
    .option(
      '--max-body-bytes-inflight <bytes>',
      'bytes of request bodies that are held at a time; 0 is no limit',
      bodyBudget,
      defaultServerOptions.maxBodyBytes,
    )
    .option(
      '--max-answer-bytes-inflight <bytes>',
      'bytes of answers that are held at a time for readers that have not taken them; 0 is no limit',
      amount,
      defaultServerOptions.maxAnswerBytes,
    )
    .option('--shutdown-delay-duration <duration>', 'how long /readyz fails before the listener closes', durationMs, 0)
    .addOption(
      new Option('--log-level <level>', 'what is logged')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('info'),
    );
}

function storeOf(flags: Flags): StoreOptions {
  if (flags.storageEndpoint !== undefined) return { kind: 'remote', endpoint: flags.storageEndpoint };
  if (flags.store === 'memory') return { kind: 'memory' };
  return {
    kind: 'etcd',
    servers: flags.etcdServers,
    ...(flags.etcdCafile === undefined ? {} : { caFile: flags.etcdCafile }),
    ...(flags.etcdCertfile === undefined ? {} : { certFile: flags.etcdCertfile }),
    ...(flags.etcdKeyfile === undefined ? {} : { keyFile: flags.etcdKeyfile }),
  };
}

/**
 * The server's options from command-line arguments (without node and script). Prints a message and exits on `--help` (0) and on a
 * flag that is unknown or has an impossible value (2), as a command should.
 */
export function parseFlags(args: readonly string[]): ServerOptions {
  const parser = command().exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  const flags = parser.parse([...args], { from: 'user' }).opts<Flags>();
  if ((flags.tlsCertFile === undefined) !== (flags.tlsPrivateKeyFile === undefined))
    parser.error('error: --tls-cert-file and --tls-private-key-file are given together');
  const admissionPlugins = { enabled: flags.enableAdmissionPlugins, disabled: flags.disableAdmissionPlugins };
  const fault = choiceFault(admissionPlugins);
  if (fault !== '') parser.error(`error: ${fault}`);
  const { certDir, clientCaFile, tokenAuthFile, tlsCertFile, tlsPrivateKeyFile } = flags;
  return {
    ...defaultServerOptions,
    identifiers: flags.identifiers,
    store: storeOf(flags),
    prefix: flags.etcdPrefix,
    bindAddress: flags.bindAddress,
    securePort: flags.securePort,
    certDir,
    ...(flags.advertiseAddress === undefined ? {} : { advertiseAddress: flags.advertiseAddress }),
    ...(tlsCertFile === undefined ? {} : { tlsCertFile }),
    ...(tlsPrivateKeyFile === undefined ? {} : { tlsPrivateKeyFile }),
    ...(clientCaFile === undefined ? {} : { clientCaFile }),
    ...(tokenAuthFile === undefined ? {} : { tokenAuthFile }),
    ...(flags.anonymousAuth === undefined ? {} : { anonymousAuth: flags.anonymousAuth }),
    alwaysAllowPaths: flags.authorizationAlwaysAllowPaths,
    authorizationMode: flags.authorizationMode,
    admissionPlugins,
    serviceClusterIpRange: flags.serviceClusterIpRange,
    serviceNodePortRange: flags.serviceNodePortRange,
    requestTimeoutMs: flags.requestTimeout,
    stuckReaderMs: flags.stuckReaderTimeout,
    idleTimeoutMs: flags.idleTimeout,
    maxConnections: flags.maxConnections,
    maxConnectionsPerAddress: flags.maxConnectionsPerAddress,
    maxRequestsInFlight: flags.maxRequestsInflight,
    maxMutatingRequestsInFlight: flags.maxMutatingRequestsInflight,
    maxWatchesInFlight: flags.maxWatchesInflight,
    maxBodyBytes: flags.maxBodyBytesInflight,
    maxAnswerBytes: flags.maxAnswerBytesInflight,
    shutdownDelayMs: flags.shutdownDelayDuration,
    compactionIntervalMs: flags.etcdCompactionInterval,
    eventTtlMs: flags.eventTtl,
    watchHistoryMs: flags.watchHistory,
    cacheCheckIntervalMs: flags.cacheCheckInterval,
    logLevel: flags.logLevel,
  };
}
