/**
 * The names of flags that contain the product, as other programs spell them. Manifests and scripts
 * have these names whatever the identifiers of a server are.
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
