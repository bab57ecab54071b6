import { optionsOf } from '../flags/flag-options.ts';
import type { FlagRule } from '../flags/flag-table.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { nodeAgentFlag } from '../identifiers/node-agent-flag.ts';
import { builtInDefinitions } from '../catalogue/definitions.ts';
import { compatibilityError } from './flags/release-flags.ts';
import { portSharingError } from '../flags/port-sharing.ts';
import { removedFlagRules } from '../flags/removed-flags.ts';
import { apiReleases, isSince } from '../scheme/api-release.ts';
import { admissionFlagRules } from './flags/admission-flags.ts';
import { auditLogFlagRules } from './flags/audit-log-flags.ts';
import { auditWebhookFlagRules } from './flags/audit-webhook-flags.ts';
import { authorizationFlagRules } from './flags/authorization-flags.ts';
import { runtimeConfigError } from './served-api.ts';
import { featureGateError, featuresOf } from './feature-gates.ts';
import { overridesError } from './flags/etcd-overrides.ts';
import { frontProxyError } from './flags/front-proxy-flags.ts';
import { oidcError } from './flags/oidc-flags.ts';
import { serverFlags, serverTable } from './server-options.ts';
import { upstreamIdentifiers } from './flags/storage-media-types.ts';

/** A rule over the flags of cl-apiserver. */
type ServerFlagRule = FlagRule<typeof serverFlags>;
type ServerFlagName = keyof typeof serverFlags;

/** Rules about flags and combinations of flags; each returns an error message or undefined. */
export const serverFlagRules: readonly ServerFlagRule[] = [
  together('tls-cert-file', 'tls-private-key-file'),
  together('etcd-certfile', 'etcd-keyfile'),
  together('proxy-client-cert-file', 'proxy-client-key-file'),
  together(nodeAgentFlag('client-certificate'), nodeAgentFlag('client-key')),
  ...authorizationFlagRules,
  ...auditLogFlagRules,
  ...auditWebhookFlagRules,
  ({ values }) => frontProxyError(values),
  ({ given }) => oidcError(given),
  ({ values, given }) =>
    values.store === 'memory' && given('storage-endpoint')
      ? '--store=memory and --storage-endpoint cannot be used together'
      : undefined,
  ({ values, given }) => {
    const unused = etcdFlags.filter(given).map((name) => `--${name}`);
    if (unused.length === 0 || (values.store === 'etcd' && !given('storage-endpoint'))) return undefined;
    return `${unused.join(', ')} can only be used with --store=etcd and without --storage-endpoint`;
  },
  ({ values, given }) =>
    values.store === 'memory' && given('workers')
      ? '--workers needs a store that processes share: --store=memory is that of one'
      : undefined,
  ({ values, given }) =>
    given('storage-media-type') && values.identifiers !== upstreamIdentifiers
      ? `--storage-media-type needs --identifiers=${upstreamIdentifiers}, whose names the store has`
      : undefined,
  ({ given }) =>
    given('storage-media-type') && !given('emulated-release')
      ? '--storage-media-type needs --emulated-release, the release of the store: a server of an earlier one drops ' +
        'the fields of later releases when it writes an object'
      : undefined,
  ({ values }) => compatibilityError(values),
  greater('coordinated-leadership-lease-duration', 'coordinated-leadership-renew-deadline'),
  greater('coordinated-leadership-renew-deadline', 'coordinated-leadership-retry-period'),
  ({ values, given }) => {
    const options = optionsOf(serverTable, values);
    if (featureGateError(options) !== undefined) return undefined;
    const gate = 'UnknownVersionInteroperabilityProxy';
    const isOn = featuresOf(options).isEnabled(gate);
    const named = peerFlagNames.find(given);
    if (named && !isOn) return `--${named} requires ${gate} feature to be turned on`;
    return given('peer-ca-file') && !given('proxy-client-cert-file')
      ? '--peer-ca-file requires --proxy-client-cert-file'
      : undefined;
  },
  ({ given }) =>
    given('enable-aggregator-routing') && given('service-resolver')
      ? '--enable-aggregator-routing and --service-resolver cannot be used together'
      : undefined,
  ({ values, given }) =>
    values['permit-port-sharing'] && given('workers')
      ? '--permit-port-sharing cannot be used with --workers, which share a port already'
      : undefined,
  ({ values }) => portSharingError(values['permit-port-sharing']),
  ({ values }) => {
    const known = builtInDefinitions(identifiersOf(values.identifiers)).filter(({ storage }) => storage);
    return overridesError(values['etcd-servers-overrides'], known);
  },
  ...removedFlagRules(serverFlags, (removed, values) => isSince(values['emulated-release'], removed)),
  ...admissionFlagRules,
  ({ values }) => featureGateError(optionsOf(serverTable, values)),
  ({ values }) => {
    const options = optionsOf(serverTable, values);
    if (featureGateError(options) !== undefined) return undefined;
    return runtimeConfigError(options, builtInDefinitions(identifiersOf(values.identifiers)));
  },
  ({ values }) => {
    const release = values['emulated-release'];
    const previous = apiReleases[apiReleases.indexOf(release) - 1];
    const shown = values['show-hidden-metrics-for-version'];
    if (shown === undefined || shown === previous) return undefined;
    return `--show-hidden-metrics-for-version must be omitted, or the release before ${release}: ${previous ?? 'none'}`;
  },
];

const peerFlagNames = ['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port'] satisfies ServerFlagName[];

const etcdFlags = [
  'etcd-servers',
  'etcd-servers-overrides',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
] satisfies ServerFlagName[];

function greater(
  one: 'coordinated-leadership-lease-duration' | 'coordinated-leadership-renew-deadline',
  other: 'coordinated-leadership-renew-deadline' | 'coordinated-leadership-retry-period',
): ServerFlagRule {
  return ({ values }) => (values[one] > values[other] ? undefined : `--${one} must be greater than --${other}`);
}

function together(one: ServerFlagName, other: ServerFlagName): ServerFlagRule {
  return ({ given }) => (given(one) === given(other) ? undefined : `--${one} and --${other} must be given together`);
}
