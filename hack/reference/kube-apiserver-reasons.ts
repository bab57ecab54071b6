/** Flags of kube-apiserver that mean something else here, although both servers have them. */
export const otherMeanings: Readonly<Record<string, string>> = {
  'delete-collection-workers': 'ten objects at a time by default',
  'allow-privileged':
    'privileged containers are allowed by default; the plugin PodSecurity restricts Pods by namespace',
  'egress-selector-config-file': '`Direct` and `HTTPConnect`; with `GRPC` (konnectivity) the server does not start',
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
