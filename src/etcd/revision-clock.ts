import { EtcdError } from './etcd-error.ts';

/** The header fields of a response that identify the cluster and its revision. */
export interface EtcdHeader {
  readonly cluster_id: string;
  readonly revision: string;
}

/** The clock's state when a request was sent: its response must not be older than `floor`. */
interface ClockTicket {
  readonly floor: number;
  /** True if a stale response had been seen and not yet disproved. */
  readonly inDoubt: boolean;
}

/**
 * Tracks the newest revision of etcd and detects when it decreases: another cluster at the same
 * address, a restored backup, a crash that lost writes. The clock then restarts at the present
 * revision, so that the error occurs once.
 *
 * A stale read must be confirmed by a second one: a member that was stopped for a while may return
 * one stale response (etcd#20418).
 */
export class RevisionClock {
  #newest = 0;
  #clusterId = '';
  #era = 0;
  #eraEnd = new AbortController();
  #inDoubt = false;

  /** The newest revision seen. */
  get newest(): number {
    return this.#newest;
  }

  /** Incremented each time the revision decreased or the cluster changed. */
  get era(): number {
    return this.#era;
  }

  /** ID of the history that revisions belong to; it changes when etcd is replaced or restored. */
  get historyId(): string {
    return historyIdOf(this.#clusterId, this.#era);
  }

  /** Aborts when the era ends: watches that began before follow a history that no longer exists. */
  get eraEnd(): AbortSignal {
    return this.#eraEnd.signal;
  }

  /** The state to pass to `observe`; call it before sending the request. */
  ticket(): ClockTicket {
    return { floor: this.#newest, inDoubt: this.#inDoubt };
  }

  /**
   * Checks the header of a response to a linearizable request. Throws `unavailable` for a read that
   * should be retried, and `revisionRegressed`.
   */
  observe(header: EtcdHeader, { floor, inDoubt }: ClockTicket, kind: 'read' | 'write'): void {
    const revision = Number(header.revision);
    const sameCluster = this.#clusterId === '' || this.#clusterId === header.cluster_id;
    if (sameCluster && revision >= floor) {
      this.#clusterId = header.cluster_id;
      this.#newest = Math.max(this.#newest, revision);
      this.#inDoubt = false;
      return;
    }
    // The request was sent before the clock restarted.
    const oldNews = sameCluster && floor > this.#newest;
    const believed = inDoubt && this.#inDoubt && !oldNews;
    if (sameCluster && kind === 'read' && !believed) {
      this.#inDoubt = !oldNews;
      throw new EtcdError('unavailable', `etcd: an outdated response, revision ${revision} after ${floor}`);
    }
    if (!oldNews) this.#startAnew(header, revision);
    const what = sameCluster
      ? `the revision went back from ${floor} to ${revision}`
      : 'the endpoints now belong to another cluster';
    throw new EtcdError('revisionRegressed', `etcd: ${what}`, { revision });
  }

  /** Records a revision that need not be the newest, such as the revision of a watch event. */
  advance(revision: number): void {
    if (revision > this.#newest) this.#newest = revision;
  }

  #startAnew(header: EtcdHeader, revision: number): void {
    this.#clusterId = header.cluster_id;
    this.#newest = revision;
    this.#inDoubt = false;
    this.#era++;
    this.#eraEnd.abort();
    this.#eraEnd = new AbortController();
  }
}

/** See `RevisionClock.historyId`. */
export function historyIdOf(clusterId: string, era: number): string {
  return `${clusterId}.${era}`;
}
