import { type Flag, inSection, type FlagValues } from '../../flags/flag-table.ts';
import { componentFlags } from '../../identifiers/component-flags.ts';
import { boolean, integer, list, text, duration, number } from '../../flags/flag-types.ts';

/** The flags of the controller of nodes. */
const nodeLifecycleFlags = inSection('Nodes', {
  'node-monitor-period': {
    type: duration({ positive: true }),
    default: 5000,
    help: 'time between two looks at the state of nodes',
  },
  'node-monitor-grace-period': {
    type: duration({ positive: true }),
    default: 40_000,
    help: 'time without a sign of life after which a node counts as lost',
  },
  'node-startup-grace-period': {
    type: duration({ positive: true }),
    default: 60_000,
    help: 'the same, of a node that has reported nothing yet',
  },
  'node-eviction-rate': {
    type: number('nodes'),
    default: 0.1,
    help: 'nodes of a zone whose pods are evicted in a second',
  },
  'secondary-node-eviction-rate': {
    type: number('nodes'),
    default: 0.01,
    help: 'the same, of a large zone with many nodes in trouble; small ones evict none',
  },
  'large-cluster-size-threshold': {
    type: integer('nodes', 0),
    default: 50,
    help: 'number of nodes from which on a zone is large',
  },
  'unhealthy-zone-threshold': {
    type: number('share'),
    default: 0.55,
    help: 'share of nodes that are not ready, from which on a zone is in trouble',
  },
});

/** The flags of the controller of autoscalers, named as in kube-controller-manager. */
const autoscalerFlags = inSection('Autoscaling', {
  'horizontal-pod-autoscaler-sync-period': {
    type: duration({ positive: true }),
    default: 15_000,
    help: 'time between two looks at the metrics of an autoscaler',
  },
  'horizontal-pod-autoscaler-downscale-stabilization': {
    type: duration(),
    default: 300_000,
    help: 'time in which the greatest recommendation counts, unless an autoscaler has a window of its own',
  },
  'horizontal-pod-autoscaler-tolerance': {
    type: number('share'),
    default: 0.1,
    help: 'share by which a metric may differ from its target before anything is scaled',
  },
  'horizontal-pod-autoscaler-cpu-initialization-period': {
    type: duration(),
    default: 300_000,
    help: 'time after the start of a pod in which its CPU use counts only once it is ready',
  },
  'horizontal-pod-autoscaler-initial-readiness-delay': {
    type: duration(),
    default: 30_000,
    help: 'time after the start of a pod in which a change of its readiness counts as its first one',
  },
});

/** The flags of the CAs that sign certificates: one for all signers, or one for each. */
const signingFlags = inSection('Certificates', {
  'cluster-signing-cert-file': pemFile('CA that signs the certificates of all signers'),
  'cluster-signing-key-file': pemFile('key of the CA that signs the certificates of all signers'),
  'cluster-signing-client-cert-file': pemFile('CA of client certificates, in place of the common one'),
  'cluster-signing-client-key-file': pemFile('key of the CA of client certificates'),
  'cluster-signing-node-client-cert-file': pemFile('CA of client certificates of nodes'),
  'cluster-signing-node-client-key-file': pemFile('key of the CA of client certificates of nodes'),
  'cluster-signing-node-serving-cert-file': pemFile('CA of serving certificates of nodes'),
  'cluster-signing-node-serving-key-file': pemFile('key of the CA of serving certificates of nodes'),
  'cluster-signing-legacy-unknown-cert-file': pemFile('CA of the signer legacy-unknown'),
  'cluster-signing-legacy-unknown-key-file': pemFile('key of the CA of the signer legacy-unknown'),
  'cluster-signing-duration': {
    aliases: ['experimental-cluster-signing-duration'],
    type: duration({ positive: true }),
    default: 365 * 24 * 3600_000,
    help: 'longest lifetime of signed certificates',
  },
});

function pemFile(of: string) {
  return { type: text('file'), help: `PEM of the ${of}` };
}

/** The flags of controllers, named as in kube-controller-manager. */
export const controllerFlags = inSection('Controllers', {
  controllers: {
    type: list('names'),
    default: Object.freeze(['*']),
    help: "controllers to run; '*' runs those that are on by default, 'name' runs one, '-name' does not run it",
  },
  'concurrent-gc-syncs': concurrency(20, 'objects whose owners are checked'),
  'concurrent-namespace-syncs': concurrency(10, 'namespaces whose content is deleted'),
  'concurrent-resource-quota-syncs': concurrency(5, 'quotas that are counted'),
  // The controllers of workloads wait for their own writes.
  'concurrent-deployment-syncs': concurrency(16, 'Deployments that are rolled out'),
  'concurrent-replicaset-syncs': concurrency(16, 'ReplicaSets whose pods are kept'),
  'concurrent-rc-syncs': concurrency(16, 'ReplicationControllers whose pods are kept'),
  'concurrent-statefulset-syncs': concurrency(16, 'StatefulSets whose pods are kept'),
  'concurrent-daemonset-syncs': concurrency(4, 'DaemonSets whose pods are kept'),
  'concurrent-job-syncs': concurrency(16, 'Jobs that are run'),
  'concurrent-cron-job-syncs': concurrency(5, 'CronJobs that are started'),
  'concurrent-endpoint-syncs': concurrency(5, 'Services whose Endpoints are kept'),
  'concurrent-service-endpoint-syncs': concurrency(5, 'Services whose EndpointSlices are kept'),
  'concurrent-horizontal-pod-autoscaler-syncs': concurrency(5, 'autoscalers whose metrics are read'),
  'concurrent-ttl-after-finished-syncs': concurrency(5, 'finished Jobs that are deleted'),
  'concurrent-serviceaccount-token-syncs': concurrency(5, 'service accounts and Secrets with their tokens'),
  'concurrent-ephemeralvolume-syncs': concurrency(5, 'Pods whose ephemeral claims are made'),
  'concurrent-resourceclaim-syncs': concurrency(50, 'claims of devices that are made, kept and released'),
  'concurrent-device-taint-eviction-syncs': concurrency(8, 'claims whose devices are looked at for taints'),
  'concurrent-validating-admission-policy-status-syncs': concurrency(5, 'policies whose types are checked'),
  'enable-garbage-collector': {
    type: boolean,
    default: true,
    help: 'delete objects whose owners are gone; false turns the garbage collector off whatever --controllers says',
  },
  'controller-start-interval': {
    type: duration(),
    default: 0,
    help: 'time between the starts of two controllers',
  },
  'controller-shutdown-timeout': {
    type: duration(),
    default: 800,
    help: 'time that the controllers have to end their requests when the leader stops',
  },
  [componentFlags.apiQps]: {
    type: number('number'),
    default: 0,
    help: 'requests to the API server in a second, of each client; 0: no limit',
  },
  [componentFlags.apiBurst]: {
    type: integer('number', 1),
    default: 30,
    help: 'requests that may be sent at once before that limit counts',
  },
  'max-endpoints-per-slice': {
    type: integer('count', 1, 1000),
    default: 100,
    help: 'number of endpoints of an EndpointSlice',
  },
  'root-ca-file': {
    type: text('file'),
    help: 'PEM of the CA that is published in every namespace; default: the CA of the client config',
  },
  'mirroring-concurrent-service-endpoint-syncs': concurrency(5, 'Endpoints that are mirrored'),
  'mirroring-max-endpoints-per-subset': {
    type: integer('count', 1, 1000),
    default: 1000,
    help: 'number of addresses that are mirrored of each subset of Endpoints',
  },
  ...autoscalerFlags,
  ...nodeLifecycleFlags,
  ...signingFlags,
  'service-account-private-key-file': {
    type: text('file'),
    help: 'PEM private key that signs the tokens in Secrets of service accounts; default: no such Secrets are kept',
  },
  'use-service-account-credentials': {
    type: boolean,
    default: false,
    help: 'run each controller as a service account of its own',
  },
  'terminated-pod-gc-threshold': {
    type: integer('count'),
    default: 12_500,
    help: 'number of ended Pods that are kept; the oldest of more are deleted; 0 keeps all',
  },
});

/** The values of the flags of controllers. */
export type ControllerOptions = FlagValues<typeof controllerFlags>;

/** The options of controllers without flags. */
export const defaultControllerOptions: ControllerOptions = Object.freeze(
  // Each default has the type of its flag's values.
  Object.fromEntries(
    Object.entries<Flag>(controllerFlags).map(([name, flag]) => [name, flag.default]),
  ) as ControllerOptions,
);

/** Describes a flag with the number of objects that a controller works on at the same time. */
function concurrency(count: number, objects: string) {
  return { type: integer('count', 1), default: count, help: `number of ${objects} at the same time` };
}
