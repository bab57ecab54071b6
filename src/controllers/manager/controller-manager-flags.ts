import { inSection, type FlagTable, type FlagValues } from '../../flags/flag-table.ts';
import { boolean, checked, choice, duration, type FlagType, integer, text } from '../../flags/flag-types.ts';
import { readFlags } from '../../flags/read-flags.ts';
import { type ApiRelease, apiReleases, isSince, newestRelease } from '../../scheme/api-release.ts';
import { identifierSets } from '../../identifiers/identifiers.ts';
import { removedFlagRules } from '../../flags/removed-flags.ts';
import { logBufferFlags, logFlags } from '../../flags/log-flags.ts';
import { klogFlags } from '../../flags/klog-flags.ts';
import { controllerLegacyFlags } from '../options/controller-legacy-flags.ts';
import { spellSignerFlags } from '../certificates/spell-signer-flags.ts';
import { controllerFlags } from '../options/controller-flags.ts';
import { endpointError, samplesInAll } from '../../tracing/exporter-url.ts';
import { portSharingError } from '../../flags/port-sharing.ts';
import { managerServingFlags } from './manager-serving-flags.ts';
import { knownControllers } from './known-controllers.ts';
import { unknownController } from './select-controllers.ts';

const releases = choice('release', apiReleases);

/** A release, also in the form `kube=1.34` of kube-controller-manager. */
const emulatedRelease: FlagType<ApiRelease> = {
  ...releases,
  parse: (given) => releases.parse(given.replace(/^kube=/, '')),
};

/** The parts that log: each has a verbosity of its own, and its name is in each line. */
const managerComponents: readonly string[] = [
  'election',
  'informers',
  'manager',
  ...knownControllers.map(({ name }) => name),
];

/** The flags of the controller manager by name. */
export const controllerManagerFlags = {
  ...inSection('General', {
    clientconfig: {
      aliases: ['kubeconfig'],
      type: text('file'),
      required: true,
      help: 'client config file with the address and credentials of the API server',
    },
    master: {
      type: text('url'),
      help: 'URL of the API server, in place of the one in the client config',
    },
    context: {
      type: text('name'),
      help: 'context of the client config; default: the current one',
    },
    identifiers: {
      type: choice('set', identifierSets),
      default: 'cluster',
      help: `names of API groups, well-known labels and system objects (as the API server has them): ${identifierSets.join(' or ')}`,
    },
  }),
  ...logFlags(managerComponents, 'those of --controllers, and election, informers and manager'),
  ...controllerFlags,
  ...inSection('Leader election', {
    'leader-elect': {
      type: boolean,
      default: true,
      help: 'run the controllers only while this instance holds the lease',
    },
    'coordinated-leader-election': {
      type: boolean,
      default: false,
      help: 'leave it to the server which instance leads, by LeaseCandidates (feature gate CoordinatedLeaderElection of the server)',
    },
    'emulated-release': {
      aliases: ['emulated-version'],
      type: emulatedRelease,
      default: newestRelease,
      help: 'the release that this instance is a candidate of: the server prefers the oldest one, which all servers understand',
    },
    'leader-elect-resource-lock': {
      type: choice('kind', ['leases']),
      default: 'leases',
      help: 'kind of the object that the leader holds',
    },
    'leader-elect-resource-name': {
      type: text('name'),
      help: 'name of the lease; default: that of the controller manager, by the identifiers',
    },
    'leader-elect-resource-namespace': {
      type: text('namespace'),
      help: 'namespace of the lease; default: the one of the system',
    },
    'leader-elect-lease-duration': {
      type: duration({ positive: true }),
      default: 15_000,
      help: 'time after which another instance takes the lease of a leader that has not renewed it',
    },
    'leader-elect-renew-deadline': {
      type: duration({ positive: true }),
      default: 10_000,
      help: 'time in which a leader must renew the lease, or stop to lead',
    },
    'leader-elect-retry-period': {
      type: duration({ positive: true }),
      default: 2000,
      help: 'time between attempts to take or renew the lease',
    },
  }),
  ...inSection('Tracing', {
    'tracing-endpoint': {
      type: checked(text('address'), endpointError),
      help: 'collector of traces (OTLP over gRPC): host:port, dns:///host:port or unix:///path; by default nothing is traced',
    },
    'tracing-sampling-rate-per-million': {
      type: integer('number', 0, samplesInAll),
      default: samplesInAll,
      help: 'number of reconciles that are traced, of a million',
    },
  }),
  ...managerServingFlags,
  ...controllerLegacyFlags,
  ...klogFlags,
  ...logBufferFlags,
} as const satisfies FlagTable;

const program = {
  name: 'cl-controller-manager',
  description: 'Runs the controllers of a control plane, one instance at a time.',
  flags: controllerManagerFlags,
};

/** The values of the controller manager's flags. */
export type ControllerManagerFlags = FlagValues<typeof controllerManagerFlags>;

/**
 * Parses arguments (without node and script). Prints a message and exits on `--help` (0) and on an
 * invalid flag (2).
 */
export function parseFlags(args: readonly string[]): ControllerManagerFlags {
  return readFlags(
    program,
    [
      ...removedFlagRules(controllerManagerFlags, (removed, values) => isSince(values['emulated-release'], removed)),
      ({ values }) => portSharingError(values['permit-port-sharing']),
      ({ given }) =>
        given('secure-port') && given('health-port')
          ? '--secure-port and --health-port cannot be used together'
          : undefined,
      ({ given }) =>
        given('tls-cert-file') === given('tls-private-key-file')
          ? undefined
          : '--tls-cert-file and --tls-private-key-file must be given together',
      ({ given }) =>
        given('tls-cert-file') && !given('secure-port')
          ? '--tls-cert-file is for --secure-port, which is not given'
          : undefined,
      ({ values }) => unknownController(knownControllers, values.controllers),
      ({ values }) =>
        values['leader-elect-lease-duration'] > values['leader-elect-renew-deadline']
          ? undefined
          : '--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline',
      ({ values }) =>
        values['leader-elect-renew-deadline'] > values['leader-elect-retry-period']
          ? undefined
          : '--leader-elect-renew-deadline must be longer than --leader-elect-retry-period',
    ],
    spellSignerFlags(args),
  );
}
