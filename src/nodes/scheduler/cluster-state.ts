import type { Node, Pod } from '../../controllers/resources.ts';
import { type HostPort, hostPortsOf } from './host-ports.ts';
import { addTo, type Amounts, requestsOf } from './pod-requests.ts';
import { affinityTerm, type NamespaceLabels, type PodTerm } from './pod-term.ts';

/** A pod that counts for a node: bound, being bound, or nominated. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly node: string;
  readonly requests: Amounts;
  readonly ports: readonly HostPort[];
  /** The required anti-affinity of the pod, which keeps others away. */
  readonly antiTerms: readonly PodTerm[];
}

/** The pods of a node, and the resources that they take. */
interface NodeUse {
  readonly pods: Map<string, PlacedPod>;
  readonly used: Record<string, number>;
  readonly nominated: Map<string, PlacedPod>;
}

/** Numbers of pods by the names of their nodes. */
export type CountsByNode = ReadonlyMap<string, number>;

interface TermCount {
  readonly term: PodTerm;
  readonly byNode: Map<string, number>;
}

/** Counted selections; more are counted again when they are needed. */
const termLimit = 256;

/**
 * The nodes and the pods on them, with the counts that a choice needs, so that it reads no list of
 * all pods.
 */
export class ClusterState {
  readonly #nodes = new Map<string, Node>();
  #nodeList: readonly Node[] | undefined;
  readonly #uses = new Map<string, NodeUse>();
  readonly #placed = new Map<string, PlacedPod>();
  readonly #nominated = new Map<string, string>();
  readonly #counts = new Map<string, TermCount>();
  readonly #antiTerms = new Map<string, TermCount>();
  readonly #namespaceLabels: NamespaceLabels;

  constructor(namespaceLabels: NamespaceLabels) {
    this.#namespaceLabels = namespaceLabels;
  }

  get namespaceLabels(): NamespaceLabels {
    return this.#namespaceLabels;
  }

  /** All nodes, in the order in which they came. */
  get nodes(): readonly Node[] {
    this.#nodeList ??= [...this.#nodes.values()];
    return this.#nodeList;
  }

  /** A node, if it is known. */
  node(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  /** Adds a node or its new state. */
  setNode(node: Node): void {
    this.#nodes.set(node.metadata.name, node);
    this.#nodeList = undefined;
  }

  /** Removes a node. Its pods count until they are gone. */
  removeNode(name: string): void {
    this.#nodes.delete(name);
    this.#nodeList = undefined;
  }

  /** The pods of a node and their resources. */
  useOf(node: string): NodeUse {
    const present = this.#uses.get(node);
    if (present) return present;
    const use: NodeUse = { pods: new Map(), used: {}, nominated: new Map() };
    this.#uses.set(node, use);
    return use;
  }

  /** The node for which a pod counts. */
  nodeOf(uid: string): string | undefined {
    return this.#placed.get(uid)?.node;
  }

  /** Counts a pod, in this state, for a node and no other. */
  place(pod: Pod, node: string): void {
    const { uid } = pod.metadata;
    this.remove(uid);
    const placed = this.#asPlaced(pod, node);
    const use = this.useOf(node);
    use.pods.set(uid, placed);
    addTo(use.used, placed.requests);
    this.#placed.set(uid, placed);
    this.#count(placed, 1);
  }

  /** Counts a pod no longer. */
  remove(uid: string): void {
    this.nominate(uid, undefined);
    const placed = this.#placed.get(uid);
    if (!placed) return;
    this.#placed.delete(uid);
    const use = this.useOf(placed.node);
    use.pods.delete(uid);
    addTo(use.used, placed.requests, -1);
    if (use.pods.size === 0 && use.nominated.size === 0) this.#uses.delete(placed.node);
    this.#count(placed, -1);
  }

  /** Keeps room on a node for a pod that waits for others to end; `undefined` ends it. */
  nominate(uid: string, at: { readonly pod: Pod; readonly node: string } | undefined): void {
    const before = this.#nominated.get(uid);
    if (before !== undefined) this.useOf(before).nominated.delete(uid);
    this.#nominated.delete(uid);
    if (!at) return;
    this.#nominated.set(uid, at.node);
    this.useOf(at.node).nominated.set(uid, this.#asPlaced(at.pod, at.node));
  }

  /** The numbers of pods that a term selects. */
  countsOf(term: PodTerm): CountsByNode {
    const known = this.#counts.get(term.key);
    if (known) return known.byNode;
    if (this.#counts.size >= termLimit) this.#counts.clear();
    const count: TermCount = { term, byNode: new Map() };
    for (const { pod, node } of this.#placed.values()) if (term.matches(pod)) addCount(count.byNode, node, 1);
    this.#counts.set(term.key, count);
    return count.byNode;
  }

  /** The required anti-affinity of all placed pods: each term once, with its pods by node. */
  *antiAffinity(): Iterable<{ readonly term: PodTerm; readonly byNode: CountsByNode }> {
    yield* this.#antiTerms.values();
  }

  /** Forgets what depends on the labels of namespaces. */
  namespacesChanged(): void {
    this.#counts.clear();
  }

  #asPlaced(pod: Pod, node: string): PlacedPod {
    const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const antiTerms = terms.map((term) => affinityTerm(term, pod, this.#namespaceLabels));
    return { pod, node, requests: requestsOf(pod), ports: hostPortsOf(pod), antiTerms };
  }

  #count({ pod, node, antiTerms }: PlacedPod, by: 1 | -1): void {
    for (const { term, byNode } of this.#counts.values()) if (term.matches(pod)) addCount(byNode, node, by);
    for (const term of antiTerms) {
      const key = `${term.topologyKey} ${term.key}`;
      const known = this.#antiTerms.get(key) ?? { term, byNode: new Map<string, number>() };
      addCount(known.byNode, node, by);
      if (known.byNode.size === 0) this.#antiTerms.delete(key);
      else this.#antiTerms.set(key, known);
    }
  }
}

function addCount(byNode: Map<string, number>, node: string, by: number): void {
  const count = (byNode.get(node) ?? 0) + by;
  if (count > 0) byNode.set(node, count);
  else byNode.delete(node);
}
