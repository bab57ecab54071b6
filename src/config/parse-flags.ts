import { groupOf, optionsOf } from '../flags/flag-options.ts';
import type { FlagValues } from '../flags/flag-table.ts';
import { readFlags } from '../flags/read-flags.ts';
import { defined } from '../meta/json-value.ts';
import { givenFlags } from './flag-values.ts';
import { flaggedPlugins } from './flags/admission-flags.ts';
import { flaggedAuditLog } from './flags/audit-log-flags.ts';
import { flaggedAuditWebhook } from './flags/audit-webhook-flags.ts';
import { flaggedModes } from './flags/authorization-flags.ts';
import { frontProxyOptionsOf } from './flags/front-proxy-flags.ts';
import { nodeAgentFlags, spellNodeAgentFlags } from './flags/node-agent-flags.ts';
import { oidcFlags } from './flags/oidc-flags.ts';
import { serverFlagRules } from './server-flag-rules.ts';
import { defaultServerOptions, serverFlags, type ServerOptions, serverTable } from './server-options.ts';
import { etcdFileFlags } from './flags/storage-flags.ts';
import { proxyClientFlags } from './flags/peer-flags.ts';
import type { StoreOptions } from './flags/store-options.ts';
import { tokenWebhookFlags } from './flags/token-webhook-flags.ts';

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
    ...optionsOf(serverTable, values),
    serviceResolver: serviceResolverOf(values),
    store: storeOf(values),
    authorizationMode: flaggedModes(values),
    admissionPlugins: flaggedPlugins(values),
    nodeAgent: optionsOf(nodeAgentFlags, values),
    flags: givenFlags(values),
    ...defined({
      frontProxy: frontProxyOptionsOf(values),
      oidc: groupOf(oidcFlags, values, 'issuerUrl', 'clientId'),
      tokenWebhook: groupOf(tokenWebhookFlags, values, 'clientConfigFile'),
      auditLog: flaggedAuditLog(values),
      auditWebhook: flaggedAuditWebhook(values),
      proxyClient: groupOf(proxyClientFlags, values, 'certFile', 'keyFile'),
    }),
  };
}

/** The resolver of Services, which either of two flags selects. */
function serviceResolverOf(values: FlagValues<typeof serverFlags>): ServerOptions['serviceResolver'] {
  const routes = values['enable-aggregator-routing'];
  if (routes === undefined) return values['service-resolver'];
  return routes ? 'endpoints' : 'cluster-ip';
}

function storeOf(values: FlagValues<typeof serverFlags>): StoreOptions {
  const endpoint = values['storage-endpoint'];
  if (endpoint !== undefined) return { kind: 'remote', endpoint };
  if (values.store === 'memory') return { kind: 'memory' };
  const limits = defined({
    memberMaxAgeMs: values['etcd-db-metric-poll-interval'],
    leaseReuseSeconds: values['lease-reuse-duration-seconds'],
  });
  const overrides = values['etcd-servers-overrides'];
  const others = overrides.length > 0 ? { overrides } : {};
  return { kind: 'etcd', servers: values['etcd-servers'], ...others, ...limits, ...optionsOf(etcdFileFlags, values) };
}
