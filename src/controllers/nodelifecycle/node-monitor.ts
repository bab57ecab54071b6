import { formatTime } from '../../meta/time.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Node } from '../resources.ts';
import type { Taint } from '../../gen/types/core-v1.ts';
import { evictionTaint, isEvictionTaint, nodeCondition, unknownConditions } from './node-conditions.ts';
import type { NodeHeartbeats } from './node-heartbeats.ts';
import { ZoneEvictions } from './zone-evictions.ts';

/** The name and the uid of a node, which outlive it in Events. */
interface NodeIdentity {
  readonly name: string;
  readonly uid: string;
}

/** The nodes, and the calls that change them. */
interface MonitorCalls {
  readonly identifiers: Identifiers;
  readonly nodes: () => readonly Node[];
  readonly renewTimeOf: (node: Node) => string | undefined;
  readonly heartbeats: NodeHeartbeats;
  readonly evictions: ZoneEvictions;
  /** Returns the written node; undefined if it changed meanwhile. */
  readonly writeStatus: (node: Node) => Promise<Node | undefined>;
  /** Writes the taints of a node, which may have changed since it was seen. */
  readonly writeTaints: (node: Node, taintsOf: (node: Node) => readonly Taint[]) => Promise<void>;
  /** Called with the name and the uid of a node that came or went. */
  readonly reportChange: (change: 'registered' | 'removed', node: NodeIdentity) => void;
  /** Called with a node that was ready and is lost now. */
  readonly reportLost: (node: Node) => Promise<void>;
}

/**
 * Creates the function that looks at all nodes: nodes without a sign of life become unknown, and
 * nodes that are not ready get the taint that ends their pods, in each zone at a limited rate.
 */
export function createNodeMonitor(calls: MonitorCalls): (nowMs: number) => Promise<void> {
  const { identifiers, heartbeats, evictions } = calls;
  let wasTotal = false;
  let known = new Map<string, NodeIdentity>();

  function reportChanges(all: readonly Node[]): void {
    const now = new Map(all.map(({ metadata: { name, uid } }) => [name, { name, uid }]));
    for (const [name, node] of now) if (!known.has(name)) calls.reportChange('registered', node);
    for (const [name, node] of known) if (!now.has(name)) calls.reportChange('removed', node);
    known = now;
  }

  async function present(node: Node, nowMs: number): Promise<Node> {
    if (!heartbeats.isLate(node, calls.renewTimeOf(node), nowMs)) return node;
    const conditions = unknownConditions(node, identifiers, nowMs);
    const before = node.status?.conditions ?? [];
    if (conditions.length === before.length && conditions.every((each, at) => each === before[at])) return node;
    const written = await calls.writeStatus({ ...node, status: { ...node.status, conditions } });
    if (written && isReadyNode(node)) await calls.reportLost(written);
    return written ?? node;
  }

  const wantedOf = (node: Node): Taint | undefined => evictionTaint(node, identifiers);

  function ownTaint({ spec }: Node): Taint | undefined {
    return spec?.taints?.find((each) => isEvictionTaint(each, identifiers));
  }

  async function taint(node: Node, taintOf: (node: Node) => Taint | undefined, nowMs: number): Promise<void> {
    await calls.writeTaints(node, (latest) => {
      const kept = (latest.spec?.taints ?? []).filter((each) => !isEvictionTaint(each, identifiers));
      const wanted = taintOf(latest);
      return wanted ? [...kept, { ...wanted, timeAdded: formatTime(nowMs) }] : kept;
    });
  }

  async function taintAll(ready: readonly Node[], notReady: readonly Node[], nowMs: number): Promise<void> {
    for (const node of ready) if (ownTaint(node)) await taint(node, () => undefined, nowMs);
    const waiting: Node[] = [];
    for (const node of notReady) {
      // A node that has not reported yet, and is not late, has no pods to lose.
      if (!nodeCondition(node, 'Ready')) continue;
      const [wanted, own] = [wantedOf(node), ownTaint(node)];
      if (!own) waiting.push(node);
      else if (own.key !== wanted?.key) await taint(node, wantedOf, nowMs);
    }
    for (const node of evictions.take(waiting, { ready, notReady }, nowMs)) {
      await taint(node, wantedOf, nowMs);
    }
  }

  return async (nowMs) => {
    const nodes = calls.nodes();
    reportChanges(nodes);
    const all: Node[] = [];
    for (const node of nodes) all.push(await present(node, nowMs));
    heartbeats.keep(new Set(all.map(({ metadata }) => metadata.uid)));
    const ready = all.filter(isReadyNode);
    const notReady = all.filter((node) => !isReadyNode(node));
    const isTotal = ZoneEvictions.isTotal({ ready, notReady });
    if (isTotal) {
      if (!wasTotal) await taintAll(all, [], nowMs);
    } else {
      if (wasTotal) {
        heartbeats.renewAll(nowMs);
        evictions.resume(nowMs);
      }
      await taintAll(ready, notReady, nowMs);
    }
    wasTotal = isTotal;
  };
}

function isReadyNode(node: Node): boolean {
  return nodeCondition(node, 'Ready')?.status === 'True';
}
