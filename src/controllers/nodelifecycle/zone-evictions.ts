import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Node } from '../resources.ts';

/** The limits of evictions. */
interface EvictionRates {
  /** Nodes of a zone whose pods are evicted, in a second. */
  readonly perSecond: number;
  /** The same, of a large zone with many nodes in trouble. */
  readonly secondaryPerSecond: number;
  /** A zone with more nodes is large. Small ones in trouble evict nothing. */
  readonly largeZone: number;
  /** The share of nodes that are not ready, from which on a zone is in trouble. */
  readonly unhealthyShare: number;
}

/** The nodes of a cluster, by whether they are ready. */
interface NodeStates {
  readonly ready: readonly Node[];
  readonly notReady: readonly Node[];
}

/** A zone in trouble has at least this number of nodes that are not ready. */
const leastUnhealthy = 3;

/**
 * Limits how many nodes lose their pods in each zone. If no node at all is ready, it is likely
 * that the network of this process is at fault, and no node loses any.
 */
export class ZoneEvictions {
  readonly #rates: EvictionRates;
  readonly #zoneOf: (node: Node) => string;
  /** The times of the last evictions, by zone. */
  readonly #lastMs = new Map<string, number>();
  /** The end of the last outage of all nodes. */
  #resumedMs = Number.NEGATIVE_INFINITY;

  constructor(rates: EvictionRates, { labelDomain }: Identifiers) {
    this.#rates = rates;
    this.#zoneOf = ({ metadata: { labels = {} } }) => {
      const [region, zone] = ['region', 'zone'].map((name) => labels[`topology.${labelDomain}/${name}`] ?? '');
      return JSON.stringify([region, zone]);
    };
  }

  /** True if no node is ready, and there are some. */
  static isTotal({ ready, notReady }: NodeStates): boolean {
    return ready.length === 0 && notReady.length > 0;
  }

  /** Called after an outage of all nodes: the next eviction waits as if one had just happened. */
  resume(nowMs: number): void {
    this.#resumedMs = nowMs;
  }

  /** The nodes of `waiting` whose pods may be evicted now, by the rates of their zones. */
  take(waiting: readonly Node[], states: NodeStates, nowMs: number): Node[] {
    return waiting.filter((node) => {
      const zone = this.#zoneOf(node);
      const rate = this.#rateOf(zone, states);
      const last = Math.max(this.#lastMs.get(zone) ?? this.#resumedMs, this.#resumedMs);
      if (rate <= 0 || nowMs < last + 1000 / rate) return false;
      this.#lastMs.set(zone, nowMs);
      return true;
    });
  }

  #rateOf(zone: string, { ready, notReady }: NodeStates): number {
    const { perSecond, secondaryPerSecond, largeZone, unhealthyShare } = this.#rates;
    const [up, down] = [ready, notReady].map((nodes) => nodes.filter((node) => this.#zoneOf(node) === zone).length);
    const [isUp, isDown] = [up ?? 0, down ?? 0];
    const inTrouble = isUp > 0 && isDown >= leastUnhealthy && isDown / (isUp + isDown) >= unhealthyShare;
    if (!inTrouble) return perSecond;
    return isUp + isDown > largeZone ? secondaryPerSecond : 0;
  }
}
