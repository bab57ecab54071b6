import type { Node } from '../resources.ts';
import { nodeCondition } from './node-conditions.ts';

/** The last sign of life of a node's agent, by the clock of this process. */
interface Heartbeat {
  readonly seen: string;
  readonly atMs: number;
}

/** The times without a sign of life after which a node is given up. */
interface GracePeriods {
  readonly monitorMs: number;
  /** The time for a node that has reported nothing yet. */
  readonly startupMs: number;
}

/**
 * Watches for signs of life: a status or a lease that is renewed. Times are measured here, because
 * the clocks of nodes may be wrong.
 */
export class NodeHeartbeats {
  readonly #grace: GracePeriods;
  readonly #heartbeats = new Map<string, Heartbeat>();

  constructor(grace: GracePeriods) {
    this.#grace = grace;
  }

  /** Takes note of a node and its lease. True if its agent has not been heard of in time. */
  isLate(node: Node, renewTime: string | undefined, nowMs: number): boolean {
    const ready = nodeCondition(node, 'Ready');
    const seen = JSON.stringify([ready?.lastHeartbeatTime, renewTime]);
    const { uid, creationTimestamp } = node.metadata;
    const known = this.#heartbeats.get(uid);
    if (known?.seen !== seen) {
      const atMs = !known && !ready && !renewTime ? Date.parse(creationTimestamp) : nowMs;
      this.#heartbeats.set(uid, { seen, atMs });
    }
    const { atMs } = this.#heartbeats.get(uid) ?? { atMs: nowMs };
    const hasReported = ready !== undefined && ready.reason !== 'NodeStatusNeverUpdated';
    return nowMs > atMs + (hasReported ? this.#grace.monitorMs : this.#grace.startupMs);
  }

  /** Forgets nodes other than these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#heartbeats.keys()) if (!uids.has(uid)) this.#heartbeats.delete(uid);
  }

  /** Counts all nodes as heard of now. */
  renewAll(nowMs: number): void {
    for (const [uid, { seen }] of this.#heartbeats) this.#heartbeats.set(uid, { seen, atMs: nowMs });
  }
}
