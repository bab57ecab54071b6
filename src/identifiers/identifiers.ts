/** The two sets of names that a server can be started with (`--identifiers`). */
export type IdentifierSet = 'cluster' | 'kubernetes';

/**
 * All names that contain the product's name. A server, a client and a store each get one value of
 * this type. No other source file contains these names, and no module keeps a value as state, so
 * that servers with different identifiers can share a process.
 */
export interface Identifiers {
  readonly set: IdentifierSet;
  /** Domain of the built-in API groups: `networking.<apiDomain>`. */
  readonly apiDomain: string;
  /**
   * The group of flow control: the only built-in group whose name differs from the pattern in one
   * set.
   */
  readonly flowControlGroup: string;
  /**
   * Domain of labels, annotations, finalizers, secret types and signers:
   * `<labelDomain>/legacy-unknown`.
   */
  readonly labelDomain: string;
  /** Prefix of namespaces and well-known objects: `<prefix>system`, `<prefix>public`. */
  readonly prefix: string;
  /** The product's name: the finalizer of a namespace, the service in `default`. */
  readonly product: string;
  /** The node agent's name, as in the signer `cl-apiserver-client-<nodeAgent>`. */
  readonly nodeAgent: string;
  /** Media type of the binary envelope (spec 4.7). */
  readonly protobufMediaType: string;
  /** Prefix of the schema extensions in published OpenAPI: `x-cluster-`. */
  readonly schemaExtensionPrefix: string;
  /** Environment variable with the path of the client config file. */
  readonly clientConfigVariable: string;
  /** The name of the client config, also used as the key in the ConfigMap `cluster-info`. */
  readonly clientConfig: string;
  /** Environment variable that passes an ExecCredential to a credential plugin (spec 5.8). */
  readonly execInfoVariable: string;
  /**
   * The name of the command-line client: its field manager when it applies, and the first part of
   * its annotations' domain.
   */
  readonly commandLine: string;
  /** Name of the ConfigMap that publishes the root CA to each namespace (spec 5.2). */
  readonly rootCaConfigMap: string;
  /**
   * The part of a bootstrap token that signs the ConfigMap `cluster-info`: the whole token (spec
   * 5.9), or its secret alone, with which kubeadm verifies.
   */
  readonly clusterInfoKey: 'token' | 'secret';
  /**
   * The refusal of a watch from a version that is too old: the status 410 (spec 6.1), or 200 and an
   * ERROR event, because clients of Kubernetes read nothing of the body of a 410.
   */
  readonly lateWatch: 'status' | 'event';
  /** The prefix of encrypted values in the store. */
  readonly encryptedPrefix: string;
}

const cluster: Identifiers = Object.freeze({
  set: 'cluster',
  apiDomain: 'cl.io',
  flowControlGroup: 'flowcontrol.cl.io',
  labelDomain: 'cluster.io',
  prefix: 'cl-',
  product: 'cluster',
  nodeAgent: 'nodeagent',
  protobufMediaType: 'application/vnd.cluster.protobuf',
  schemaExtensionPrefix: 'x-cluster-',
  clientConfigVariable: 'CLIENTCONFIG',
  clientConfig: 'clientconfig',
  execInfoVariable: 'CLUSTER_EXEC_INFO',
  commandLine: 'cl',
  rootCaConfigMap: 'cluster-root-ca.crt',
  clusterInfoKey: 'token',
  lateWatch: 'status',
  encryptedPrefix: 'cl:enc:',
});

const kubernetes: Identifiers = Object.freeze({
  set: 'kubernetes',
  apiDomain: 'k8s.io',
  flowControlGroup: 'flowcontrol.apiserver.k8s.io',
  labelDomain: 'kubernetes.io',
  prefix: 'kube-',
  product: 'kubernetes',
  nodeAgent: 'kubelet',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  schemaExtensionPrefix: 'x-kubernetes-',
  clientConfigVariable: 'KUBECONFIG',
  clientConfig: 'kubeconfig',
  execInfoVariable: 'KUBERNETES_EXEC_INFO',
  commandLine: 'kubectl',
  rootCaConfigMap: 'kube-root-ca.crt',
  clusterInfoKey: 'secret',
  lateWatch: 'event',
  encryptedPrefix: 'k8s:enc:',
});

const sets: Readonly<Record<IdentifierSet, Identifiers>> = { cluster, kubernetes };

/** The values of `--identifiers`. */
export const identifierSets: readonly IdentifierSet[] = Object.freeze<IdentifierSet[]>(['cluster', 'kubernetes']);

/** The names of one set. */
export function identifiersOf(set: IdentifierSet): Identifiers {
  return sets[set];
}
