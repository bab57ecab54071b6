import { inSection } from '../../flags/flag-table.ts';
import { boolean, choice, integer, list, text } from '../../flags/flag-types.ts';
import { componentFlags } from '../../identifiers/component-flags.ts';
import { labelValues } from './label-values.ts';

/** The ways in which the Endpoints of the API's own Service follow the running servers. */
const reconcilers = ['lease', 'master-count', 'none'] as const;

/** The objects that a server writes itself, and its work on objects of others. */
export const controlPlaneFlags = inSection('Control plane', {
  /** False: Pods with privileged containers are refused. */
  allowPrivileged: {
    flag: 'allow-privileged',
    type: boolean,
    default: true,
    help: 'accept Pods with privileged containers',
  },
  /** How the Endpoints of the API's own Service follow the running servers. */
  endpointReconciler: {
    flag: 'endpoint-reconciler-type',
    type: choice('way', reconcilers),
    default: 'lease',
    help:
      'how the endpoints of the Service of the API follow the servers: those that live (lease), the last ones up to ' +
      '--apiserver-count (master-count), or not at all (none)',
  },
  /** The number of servers for the reconciler `master-count`. */
  apiserverCount: {
    flag: 'apiserver-count',
    type: integer('number', 1),
    default: 1,
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
    help: 'number of servers of the control plane, for --endpoint-reconciler-type=master-count',
  },
  /** The node port of the API's own Service; 0: the Service has only a cluster IP. */
  apiServiceNodePort: {
    flag: componentFlags.serviceNodePort,
    type: integer('port', 0, 65_535),
    default: 0,
    help: 'node port of the Service of the API, which is of type NodePort then; 0: it has a cluster IP only',
  },
  /** How long the identity Lease of a server is valid and how often it is renewed, in seconds. */
  identityLeaseSeconds: {
    flag: 'identity-lease-duration-seconds',
    type: integer('seconds', 1),
    default: 3600,
    help: 'time for which the Lease of a server is valid (feature gate APIServerIdentity)',
  },
  identityRenewSeconds: {
    flag: 'identity-lease-renew-interval-seconds',
    type: integer('seconds', 1),
    default: 10,
    help: 'interval at which a server renews its Lease (feature gate APIServerIdentity)',
  },
  /** How many objects a deletecollection deletes in parallel. */
  deleteCollectionWorkers: {
    flag: 'delete-collection-workers',
    type: integer('number', 1, 1000),
    default: 10,
    help: 'objects that the deletion of a collection deletes at the same time',
  },
  /** The path of a Unix socket that serves profiles without credentials. */
  debugSocketPath: {
    flag: 'debug-socket-path',
    type: text('socket'),
    help: 'socket of this machine that serves profiles to who may use the file, without credentials; each of several workers also serves the path with its number behind it (.1)',
  },
  /** The file with the proxies for connections to other servers. */
  egressSelectorConfigFile: {
    flag: 'egress-selector-config-file',
    type: text('file'),
    help: 'EgressSelectorConfiguration: the connections that lead through a proxy by CONNECT (HTTPConnect); the protocol GRPC is refused',
  },
  /**
   * False: the propagation policy of deletions has no effect, because no controller deletes
   * dependents.
   */
  enableGarbageCollector: {
    flag: 'enable-garbage-collector',
    type: boolean,
    default: true,
    help: 'let deletions orphan or wait for dependents, which the garbage collector of the controller manager does',
  },
});

/** The flags that hide metric families and limit label values. */
export const metricFlags = inSection('Metrics', {
  /** The names of disabled families. */
  disabledMetrics: {
    flag: 'disabled-metrics',
    type: list('names'),
    default: [],
    help: 'names of families of metrics that are not shown',
  },
  /** The allowed values of labels, by `<family>,<label>`; others become `unexpected`. */
  allowMetricLabels: {
    flag: 'allow-metric-labels',
    type: labelValues,
    default: {},
    help: "values of labels that metrics show, as <family>,<label>='<value>,<value>'; others are shown as unexpected",
  },
  allowMetricLabelsManifest: {
    flag: 'allow-metric-labels-manifest',
    type: text('file'),
    help: 'YAML file of the same: <family>,<label>: <value>,<value>',
  },
});
