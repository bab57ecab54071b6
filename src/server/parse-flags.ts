import type { FlagValues } from '../flags/flag-table.ts';
import { defined } from '../meta/defined.ts';
import { readFlags } from '../flags/read-flags.ts';
import { admissionOptionsOf } from './admission-flags.ts';
import { auditLogOptionsOf } from './audit-log-flags.ts';
import { auditWebhookOptionsOf } from './audit-webhook-flags.ts';
import { authenticationOptionsOf } from './authentication-flags.ts';
import { authorizationOptionsOf } from './authorization-flags.ts';
import { nodeAgentOptionsOf, spellNodeAgentFlags } from './node-agent-flags.ts';
import { servingOptionsOf } from './serving-flags.ts';
import { serviceAccountOptionsOf } from './service-account-flags.ts';
import { serverFlagRules, serverFlags } from './server-flags.ts';
import { defaultServerOptions, type ServerOptions, type StoreOptions } from './server-options.ts';

type Values = FlagValues<typeof serverFlags>;

const program = {
  name: 'cl-apiserver',
  description: 'Serves the API of a cluster control plane from an etcd cluster.',
  flags: serverFlags,
};

/**
 * Parses the command-line arguments (without node and script). `--help` prints the help and exits
 * with 0; invalid flags print an error and exit with 2.
 */
export function parseFlags(args: readonly string[]): ServerOptions {
  const values = readFlags(program, serverFlagRules, spellNodeAgentFlags(args));
  return {
    ...defaultServerOptions,
    identifiers: values.identifiers,
    emulatedRelease: values['emulated-release'],
    emulationForwardCompatible: values['emulation-forward-compatible'],
    runtimeConfig: values['runtime-config'],
    featureGates: values['feature-gates'],
    store: storeOf(values),
    prefix: values['etcd-prefix'],
    ...defined({
      auditPolicyFile: values['audit-policy-file'],
      showHiddenMetricsForVersion: values['show-hidden-metrics-for-version'],
    }),
    ...servingOptionsOf(values),
    ...authenticationOptionsOf(values),
    ...serviceAccountOptionsOf(values),
    ...authorizationOptionsOf(values),
    ...auditLogOptionsOf(values),
    ...auditWebhookOptionsOf(values),
    ...admissionOptionsOf(values),
    serviceClusterIpRange: values['service-cluster-ip-range'],
    serviceNodePortRange: values['service-node-port-range'],
    ...defined({ proxyClient: proxyClientOf(values) }),
    serviceResolver: values['service-resolver'],
    nodeAgent: nodeAgentOptionsOf(values),
    proxyAllowedNetworks: values['proxy-allowed-networks'],
    requestTimeoutMs: values['request-timeout'],
    stuckReaderMs: values['stuck-reader-timeout'],
    idleTimeoutMs: values['idle-timeout'],
    maxConnections: values['max-connections'],
    maxConnectionsPerAddress: values['max-connections-per-address'],
    maxRequestsInFlight: values['max-requests-inflight'],
    maxMutatingRequestsInFlight: values['max-mutating-requests-inflight'],
    priorityAndFairness: values['enable-priority-and-fairness'],
    maxWatchesInFlight: values['max-watches-inflight'],
    maxBodyBytes: values['max-body-bytes-inflight'],
    maxAnswerBytes: values['max-answer-bytes-inflight'],
    livezGraceMs: values['livez-grace-period'],
    profiling: values.profiling,
    shutdownDelayMs: values['shutdown-delay-duration'],
    compactionIntervalMs: values['etcd-compaction-interval'],
    eventTtlMs: values['event-ttl'],
    watchHistoryMs: values['watch-history'],
    cacheCheckIntervalMs: values['cache-check-interval'],
    logLevel: values['log-level'],
  };
}

function proxyClientOf(values: Values): ServerOptions['proxyClient'] {
  const { 'proxy-client-cert-file': certFile, 'proxy-client-key-file': keyFile } = values;
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

function storeOf(values: Values): StoreOptions {
  const endpoint = values['storage-endpoint'];
  if (endpoint !== undefined) return { kind: 'remote', endpoint };
  if (values.store === 'memory') return { kind: 'memory' };
  return {
    kind: 'etcd',
    servers: values['etcd-servers'],
    ...defined({
      caFile: values['etcd-cafile'],
      certFile: values['etcd-certfile'],
      keyFile: values['etcd-keyfile'],
    }),
  };
}
