import { type Flag, inSection, type FlagValues } from '../../flags/flag-table.ts';
import { autoscalerFlags } from './autoscaler-flags.ts';
import { signingFlags } from './signing-flags.ts';
import { nodeLifecycleFlags } from './node-lifecycle-flags.ts';
import { boolean, integer, list, text } from '../../flags/flag-types.ts';

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
