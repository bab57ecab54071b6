import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, duration, type FlagType, integer, list, number, text } from '../../flags/flag-types.ts';
import { componentFlags } from '../../identifiers/component-flags.ts';

const inTree = 'no controller here has code of clouds; a cloud controller manager is a program of its own';
const noVolumes = 'no controller here binds, attaches, provisions or recycles volumes';
const noNetworks = 'no controller here allocates the networks of nodes';
const follows = 'controllers follow each change at once, without periodic repetition';
const noUsers = 'health and metrics need no credentials: --bind-address says who reaches them';
const joined = 'changes are joined while the last write of an object runs';
const noLabels = 'labels have values of limited sets';
const goes = 'this flag will be removed in a future version';

const provider = checked(text('provider'), (name) =>
  name === '' || name === 'external' ? undefined : `use external or leave it out: ${inTree}`,
);
const noFile = checked(text('file'), (name) => (name === '' ? undefined : `leave it out: ${inTree}`));
const noPort = checked(integer('port'), (port) =>
  port === 0 ? undefined : 'use 0, and --secure-port or --health-port',
);

const file = text('file');
const names = list('names');
const count = integer('count');
const time = duration();

/** A flag without effect, with the reason. */
function ignored<Value>(type: FlagType<Value>, noEffect: string, help: string) {
  return { type, noEffect, help };
}

/** A flag without effect that a release removed. */
function removed<Value>(release: string, type: FlagType<Value>, noEffect: string, help: string) {
  return { type, noEffect, help, removed: release, deprecated: goes };
}

const cloudFlags = inSection('Accepted without effect', {
  'cloud-provider': ignored(provider, inTree, 'the cloud of the nodes: external, or nothing'),
  'cloud-config': ignored(noFile, inTree, 'configuration of the cloud'),
  'external-cloud-volume-plugin': ignored(noFile, inTree, 'plugin for the volumes of a cloud'),
  'allow-untagged-cloud': ignored(boolean, inTree, 'run without the identifier of a cluster in a cloud'),
  'cluster-name': ignored(text('name'), inTree, 'name of the cluster in a cloud'),
  'configure-cloud-routes': ignored(boolean, inTree, 'configure routes between nodes in a cloud'),
  'route-reconciliation-period': ignored(time, inTree, 'interval at which routes are looked at'),
  'concurrent-service-syncs': ignored(count, inTree, 'Services of type LoadBalancer at the same time'),
  'node-sync-period': ignored(time, inTree, 'interval at which nodes are compared with those of a cloud'),
  'enable-leader-migration': ignored(boolean, inTree, 'move controllers to a cloud controller manager'),
  'leader-migration-config': ignored(noFile, inTree, 'how controllers move to a cloud controller manager'),
  'cloud-provider-gce-lb-src-cidrs': removed('1.31', names, inTree, 'networks of load balancers of a cloud'),
  'cloud-provider-gce-l7lb-src-cidrs': removed('1.31', names, inTree, 'networks of load balancers of a cloud'),
});

const networkFlags = inSection('Accepted without effect', {
  'allocate-node-cidrs': ignored(boolean, noNetworks, 'allocate a network of Pods for each node'),
  'cidr-allocator-type': ignored(text('type'), noNetworks, 'how networks of nodes are allocated'),
  'cluster-cidr': ignored(text('networks'), noNetworks, 'networks of the Pods of all nodes'),
  'service-cluster-ip-range': ignored(text('networks'), noNetworks, 'networks of Services, which nodes do not get'),
  'node-cidr-mask-size': ignored(count, noNetworks, 'size of the network of a node'),
  'node-cidr-mask-size-ipv4': ignored(count, noNetworks, 'size of the IPv4 network of a node'),
  'node-cidr-mask-size-ipv6': ignored(count, noNetworks, 'size of the IPv6 network of a node'),
});

const volumeFlags = inSection('Accepted without effect', {
  'attach-detach-reconcile-sync-period': ignored(time, noVolumes, 'interval at which attached volumes are compared'),
  'disable-attach-detach-reconcile-sync': ignored(boolean, noVolumes, 'do not compare attached volumes'),
  'disable-force-detach-on-timeout': ignored(boolean, noVolumes, 'do not detach volumes of nodes that do not answer'),
  'enable-dynamic-provisioning': ignored(boolean, noVolumes, 'provision volumes for claims'),
  'enable-hostpath-provisioner': ignored(boolean, noVolumes, 'provision volumes on the disk of a node'),
  'flex-volume-plugin-dir': ignored(text('folder'), noVolumes, 'folder of volume plugins'),
  'pv-recycler-increment-timeout-nfs': ignored(count, noVolumes, 'time of a recycler for each Gi'),
  'pv-recycler-minimum-timeout-hostpath': ignored(count, noVolumes, 'least time of a recycler'),
  'pv-recycler-minimum-timeout-nfs': ignored(count, noVolumes, 'least time of a recycler'),
  'pv-recycler-pod-template-filepath-hostpath': ignored(file, noVolumes, 'Pod of a recycler'),
  'pv-recycler-pod-template-filepath-nfs': ignored(file, noVolumes, 'Pod of a recycler'),
  'pv-recycler-timeout-increment-hostpath': ignored(count, noVolumes, 'time of a recycler for each Gi'),
  'pvclaimbinder-sync-period': ignored(time, noVolumes, 'interval at which claims are looked at'),
  'volume-host-cidr-denylist': removed('1.30', names, noVolumes, 'networks that volume plugins may not reach'),
  'volume-host-allow-local-loopback': removed('1.30', boolean, noVolumes, 'volume plugins may reach this machine'),
});

const userFlags = inSection('Accepted without effect', {
  'authentication-skip-lookup': ignored(boolean, noUsers, 'do not read who authenticates from the server'),
  'authentication-token-webhook-cache-ttl': ignored(time, noUsers, 'how long reviews of tokens are remembered'),
  'authentication-tolerate-lookup-failure': ignored(boolean, noUsers, 'go on if that cannot be read'),
  'authorization-always-allow-paths': ignored(list('paths'), noUsers, 'paths that need no right'),
  'authorization-webhook-cache-authorized-ttl': ignored(time, noUsers, 'how long allowed requests are remembered'),
  'authorization-webhook-cache-unauthorized-ttl': ignored(time, noUsers, 'how long denied requests are remembered'),
  'client-ca-file': ignored(file, noUsers, 'CA of client certificates'),
  'requestheader-allowed-names': ignored(names, noUsers, 'names of authenticating proxies'),
  'requestheader-client-ca-file': ignored(file, noUsers, 'CA of authenticating proxies'),
  'requestheader-extra-headers-prefix': ignored(names, noUsers, 'prefixes of headers of a proxy'),
  'requestheader-group-headers': ignored(names, noUsers, 'headers of a proxy with groups'),
  'requestheader-uid-headers': ignored(names, noUsers, 'headers of a proxy with the UID'),
  'requestheader-username-headers': ignored(names, noUsers, 'headers of a proxy with the user name'),
  [componentFlags.authenticationConfig]: ignored(file, noUsers, 'client config file for reviews of tokens'),
  [componentFlags.authorizationConfig]: ignored(file, noUsers, 'client config file for reviews of rights'),
});

const loopFlags = inSection('Accepted without effect', {
  'endpoint-updates-batch-period': ignored(time, joined, 'time over which changes of Pods are joined'),
  'endpointslice-updates-batch-period': ignored(time, joined, 'time over which changes of Pods are joined'),
  'mirroring-endpointslice-updates-batch-period': ignored(time, joined, 'time over which changes are joined'),
  'legacy-service-account-token-clean-up-period': ignored(
    time,
    'no controller here deletes Secrets whose tokens are unused',
    'time without use after which the token of a Secret is deleted',
  ),
  'show-hidden-metrics-for-version': ignored(text('version'), 'no metric is hidden', 'show hidden metrics'),
  profiling: ignored(boolean, 'no profiles are served', 'serve profiles'),
  'allow-metric-labels': ignored(text('labels'), noLabels, 'values of labels'),
  'allow-metric-labels-manifest': ignored(file, noLabels, 'file with the values of labels'),
  'permit-address-sharing': ignored(boolean, 'the socket always has SO_REUSEADDR', 'bind a shared address'),
  'min-resync-period': ignored(time, follows, 'least interval at which all objects are looked at again'),
  'namespace-sync-period': ignored(time, follows, 'interval at which namespaces are looked at again'),
  'resource-quota-sync-period': ignored(time, follows, 'interval at which quotas are counted again'),
  'deployment-controller-sync-period': removed('1.24', time, follows, 'interval at which Deployments are looked at'),
  'register-retry-count': removed('1.24', count, 'nodes register themselves', 'attempts to register nodes'),
  'deleting-pods-qps': removed('1.24', number('number'), follows, 'Pods of lost nodes deleted in a second'),
  'deleting-pods-burst': removed('1.24', count, follows, 'Pods of lost nodes deleted at once'),
  'horizontal-pod-autoscaler-upscale-delay': removed('1.24', time, 'autoscalers have windows', 'pause after a scale'),
  'horizontal-pod-autoscaler-downscale-delay': removed('1.24', time, 'autoscalers have windows', 'pause after a scale'),
  'horizontal-pod-autoscaler-use-rest-clients': removed('1.22', boolean, 'metrics have one API', 'API of metrics'),
  'pod-eviction-timeout': removed('1.27', time, 'taints of nodes and tolerations say when', 'grace of lost nodes'),
  'enable-taint-manager': removed('1.27', boolean, '--controllers=-taint-eviction-controller', 'evict by taints'),
  'feature-gates': ignored(list('settings'), 'controllers run for all kinds that the server serves', 'features'),
  'min-compatibility-version': ignored(list('releases'), 'controllers follow what is served', 'oldest other release'),
  'contention-profiling': ignored(boolean, 'one thread runs the controllers', 'profiles of locks'),
  [componentFlags.apiContentType]: ignored(text('type'), 'JSON, or Protobuf where it is smaller', 'format of requests'),
  [componentFlags.apiOverLocalhost]: ignored(boolean, 'the client config file names the server', 'prefer a local one'),
  'experimental-logging-sanitization': removed('1.25', boolean, 'credentials are never logged', 'keep secrets out'),
  'http2-max-streams-per-connection': ignored(count, 'health and metrics are served over HTTP/1.1', 'streams'),
  'disable-http2-serving': ignored(boolean, 'health and metrics are served over HTTP/1.1', 'serve no HTTP/2'),
  port: removed('1.24', noPort, 'health and metrics have one port', 'port without TLS; only 0'),
  address: removed('1.24', text('address'), 'use --bind-address', 'address of the port without TLS'),
});

/**
 * Flags of kube-controller-manager that are accepted without effect, each with the reason, or with
 * the release that removed it.
 */
export const controllerLegacyFlags = {
  ...cloudFlags,
  ...networkFlags,
  ...volumeFlags,
  ...userFlags,
  ...loopFlags,
};
