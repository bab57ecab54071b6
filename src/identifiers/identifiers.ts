/** The two sets of spellings that a server can be started with (`--identifiers`). */
export type IdentifierSet = 'cluster' | 'kubernetes';

/**
 * Every spelling that carries the product's name. A server, a client and a store are each given one value of this
 * type; nothing else in the source tree spells these words, and no module keeps one as state, so that servers with
 * different identifiers can share a process.
 */
export interface Identifiers {
  readonly set: IdentifierSet;
  /** Domain of the built-in API groups: `networking.<apiDomain>`. */
  readonly apiDomain: string;
  /** The group of flow control, the one built-in group whose name does not follow the pattern in both sets. */
  readonly flowControlGroup: string;
  /** Domain of labels, annotations, finalizers, secret types and signers: `<labelDomain>/legacy-unknown`. */
  readonly labelDomain: string;
  /** Prefix of namespaces and well-known objects: `<prefix>system`, `<prefix>public`. */
  readonly prefix: string;
  /** The product's name as the product's own word: the finalizer of a namespace, the service in `default`. */
  readonly product: string;
  /** The node agent's name, as in the signer `cl-apiserver-client-<nodeAgent>`. */
  readonly nodeAgent: string;
  /** Media type of the binary envelope (spec 4.7). */
  readonly protobufMediaType: string;
  /** Prefix of the schema extensions in published OpenAPI: `x-cluster-`. */
  readonly schemaExtensionPrefix: string;
  /** Environment variable that names the client config file. */
  readonly clientConfigVariable: string;
  /** Word for the client config file, which is also the key in the ConfigMap `cluster-info`. */
  readonly clientConfig: string;
  /** Environment variable that carries an ExecCredential to a credential plugin (spec 5.8). */
  readonly execInfoVariable: string;
  /** The command-line client: its field manager when it applies, and the domain of its annotations' prefix. */
  readonly commandLine: string;
  /** Name of the ConfigMap that publishes the root CA to each namespace (spec 5.2). */
  readonly rootCaConfigMap: string;
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
});

const sets: Readonly<Record<IdentifierSet, Identifiers>> = { cluster, kubernetes };

/** The names that `--identifiers` takes. */
export const identifierSets: readonly IdentifierSet[] = Object.freeze<IdentifierSet[]>(['cluster', 'kubernetes']);

/** The spellings of one set. */
export function identifiersOf(set: IdentifierSet): Identifiers {
  return sets[set];
}
