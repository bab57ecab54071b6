import { EtcdError } from './etcd-error.ts';

/** The part of every answer of etcd that says whose it is and how far that cluster has come. */
export interface EtcdHeader {
  readonly cluster_id: string;
  readonly revision: string;
}

/**
 * Knows the newest revision seen from etcd and notices when time runs backwards: another cluster behind the same address, a restored
 * backup, a crash that lost writes. Then it starts anew with what is there, so that the error is met once.
 */
export class RevisionClock {
  #newest = 0;
  #clusterId = '';
  #era = 0;

  /** The newest revision seen. What is answered to a request made after this moment must not be older. */
  get newest(): number {
    return this.#newest;
  }

  /** Changes each time that the revision has gone backwards. */
  get era(): number {
    return this.#era;
  }

  /** Checks the header of an answer to a linearizable request that was made when `newest` was `floor`; its revision. */
  observe(header: EtcdHeader, floor: number): number {
    const revision = Number(header.revision);
    const sameCluster = this.#clusterId === '' || this.#clusterId === header.cluster_id;
    if (sameCluster && revision >= floor) {
      this.#clusterId = header.cluster_id;
      this.#newest = Math.max(this.#newest, revision);
      return revision;
    }
    // Answers to requests from before an earlier start anew are old news.
    const known = sameCluster && floor > this.#newest;
    if (!known) this.#startAnew(header, revision);
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
    this.#era++;
  }
}
