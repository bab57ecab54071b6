/**
 * The names of flags that contain the product as other programs spell them: manifests and scripts
 * have these, whatever the set of identifiers of a server is.
 */
export const componentFlags = {
  agentHttps: 'kubelet-https',
  agentPort: 'kubelet-port',
  apiBurst: 'kube-api-burst',
  apiContentType: 'kube-api-content-type',
  apiOverLocalhost: 'unsupported-kube-api-over-localhost',
  apiQps: 'kube-api-qps',
  authenticationConfig: 'authentication-kubeconfig',
  authorizationConfig: 'authorization-kubeconfig',
  serviceNodePort: 'kubernetes-service-node-port',
} as const;
