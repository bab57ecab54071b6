import { EtcdError } from './etcd-error.ts';

/** The part of every answer of etcd that says whose it is and how far that cluster has come. */
export interface EtcdHeader {
  readonly cluster_id: string;
  readonly revision: string;
}

/** What was known when a request was sent: its answer must not be older than `floor`. */
interface ClockTicket {
  readonly floor: number;
  /** An answer from the past had come and had not been disproved. */
  readonly inDoubt: boolean;
}

/**
 * Knows the newest revision seen from etcd and notices when time runs backwards: another cluster behind the same
 * address, a restored backup, a crash that lost writes. Then it starts anew with what is there, so that the error is
 * met once.
 *
 * A read from the past is believed the second time: a member that was stopped for a while may answer one as if no
 * time had passed (etcd#20418).
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

  /** Changes each time that the revision has gone backwards. */
  get era(): number {
    return this.#era;
  }

  /** Names the history that revisions belong to: another one after etcd was replaced or went back in time. */
  get historyId(): string {
    return historyIdOf(this.#clusterId, this.#era);
  }

  /** Aborts when the revision goes backwards the next time: what began before is about another past. */
  get eraEnd(): AbortSignal {
    return this.#eraEnd.signal;
  }

  /** To be taken before a request is sent. */
  ticket(): ClockTicket {
    return { floor: this.#newest, inDoubt: this.#inDoubt };
  }

  /**
   * Checks the header of an answer to a linearizable request. Throws `unavailable` for a read that is better tried
   * again, and `revisionRegressed`.
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
    // The request is from before an earlier start anew.
    const oldNews = sameCluster && floor > this.#newest;
    const believed = inDoubt && this.#inDoubt && !oldNews;
    if (sameCluster && kind === 'read' && !believed) {
      this.#inDoubt = !oldNews;
      throw new EtcdError('unavailable', `etcd: an answer came from the past, revision ${revision} after ${floor}`);
    }
    if (!oldNews) this.#startAnew(header, revision);
    const what = sameCluster
      ? `its revision went back from ${floor} to ${revision}`
      : 'it is another cluster than before';
    throw new EtcdError('revisionRegressed', `etcd: ${what}`, { revision });
  }

  /** Takes note of a revision that need not be the newest, as those on a watch. */
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
