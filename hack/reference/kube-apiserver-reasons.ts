/** Flags of kube-apiserver that mean something else here, although both servers have them. */
export const otherMeanings: Readonly<Record<string, string>> = {
  'anonymous-auth':
    'by default it follows the authorization mode: not for `AlwaysAllow`, except for health and version',
  'audit-log-version': 'only v1; nothing else is accepted',
  'audit-webhook-version': 'only v1; nothing else is accepted',
  'authorization-mode': 'a warning is logged for `AlwaysAllow` if the address is not loopback',
  'cert-dir': 'also keeps a CA, and the generated key of service accounts',
  'etcd-servers': 'kube-apiserver does not start without it',
  'feature-gates':
    '[those that concern the API](reference/feature-gates.md); others are unknown, and the server does not start',
  'http2-max-streams-per-connection': 'kube-apiserver takes the default of its HTTP library, 250',
  'kubelet-certificate-authority': 'also `--nodeagent-certificate-authority`, and so on for all flags of `--kubelet-…`',
  profiling: 'the profiles are those of V8: `/debug/profile` and `/debug/heap`',
  'service-account-issuer': 'kube-apiserver does not start without it; here it has a default',
  'service-account-signing-key-file': 'kube-apiserver does not start without it; here a key is generated',
  'service-cluster-ip-range': 'one range, or one of each family',
  'tls-cipher-suites': 'the names of IANA, as there; suites with 3DES or RC4 are not known',
  'token-auth-file': 'a repeated token is an error, not a warning',
};

/** Flags of kube-apiserver that do not exist here: the reason, and what to do instead. */
export const missingFlags: Readonly<Record<string, string>> = {
  'allow-privileged': 'privileged containers are allowed; the plugin PodSecurity restricts Pods by namespace',
  'aggregator-reject-forwarding-redirect': 'redirects of aggregated servers are always refused',
  'allow-metric-labels': 'labels have values from limited sets',
  'allow-metric-labels-manifest': 'labels have values from limited sets',
  'apiserver-count': 'servers need not know their number',
  'cloud-config': 'there is no code of clouds',
  'cloud-provider': 'there is no code of clouds',
  'cloud-provider-gce-l7lb-src-cidrs': 'there is no code of clouds',
  'contention-profiling': 'a process has one thread that runs requests',
  'debug-socket-path': 'profiles are served by `--profiling` to users with the right to read them',
  'default-watch-cache-size': 'the cache has no size of its own; `--watch-history` says how far back watches can start',
  'delete-collection-workers': 'not settable',
  'disabled-metrics': 'not settable',
  'egress-selector-config-file': 'connections are made directly; `--proxy-allowed-networks` limits addresses',
  'emulated-version': '`--emulated-release`, which this name stands for too',
  'enable-aggregator-routing': '`--service-resolver`: `endpoints`, the default, is what the flag turns on',
  'enable-garbage-collector': 'a controller of `cl-controller-manager`, which `--controllers` turns off',
  'endpoint-reconciler-type': 'servers are listed while they say that they serve, as with `lease`',
  'etcd-count-metric-poll-period': 'objects are counted in the cache',
  'etcd-db-metric-poll-interval': 'once a minute',
  'etcd-healthcheck-timeout': 'two seconds',
  'etcd-readycheck-timeout': 'two seconds',
  'etcd-servers-overrides': 'one etcd for all resources',
  'experimental-logging-sanitization': 'credentials are never logged',
  'external-hostname': 'addresses in documents are those of the request',
  'identity-lease-duration-seconds': 'the Lease of a server lasts an hour and is renewed every 10 s',
  'identity-lease-renew-interval-seconds': 'the Lease of a server lasts an hour and is renewed every 10 s',
  'kubernetes-service-node-port': 'the Service of the API has a cluster IP only',
  'lease-reuse-duration-seconds': 'not settable',
  'log-json-info-buffer-size': 'the log is not buffered',
  'log-json-split-stream': 'the log goes to standard error',
  'master-service-namespace': 'deprecated there',
  'max-connection-bytes-per-sec': 'streams go at the pace of the slower end',
  'min-request-timeout': 'watches end after 30 to 60 minutes, as there by default',
  'permit-address-sharing': '`--workers` shares a port among processes',
  'permit-port-sharing': '`--workers` shares a port among processes',
  'service-account-signing-endpoint': 'tokens are signed with `--service-account-signing-key-file`',
  'shutdown-send-retry-after': 'requests are served until the listener closes',
  'shutdown-watch-termination-grace-period': 'watches end when the listener closes, so that clients resume elsewhere',
  'storage-backend': '`--store` and `--storage-endpoint` choose another store',
  'storage-initialization-timeout': 'a server starts without its store, is not ready, and tries again',
  'watch-cache': 'the cache is always on',
  'watch-cache-sizes': 'the cache has no size of its own; `--watch-history` says how far back watches can start',
};

/** The flags of the log of kube-apiserver, which all have one answer. */
export const logFlags: readonly string[] =
  'add-dir-header alsologtostderr log-backtrace-at log-dir log-file log-file-max-size log-flush-frequency logtostderr one-output skip-headers skip-log-headers stderrthreshold'.split(
    ' ',
  );
