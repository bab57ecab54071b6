/** A job in the queue: its client and its amount of work. */
interface QueuedJob {
  readonly client: string;
  readonly size: number;
  /** True for a job that is not displaced, and not counted in `length`. */
  readonly isRequired?: boolean;
}

interface Entry<T> {
  readonly job: T;
  /** The work of all clients after which the job would end if each had the same share. */
  readonly endsAt: number;
}

/**
 * A queue that gives each client the same share of the work: the next job is the one that would end
 * first if all clients were served at the same time. A client with many or large jobs delays the
 * next job of another one by the job that runs, and by one of the same size.
 */
export class ClientQueue<T extends QueuedJob> {
  #entries: readonly Entry<T>[] = [];
  /** The end of the last job of each client; forgotten when nothing waits. */
  readonly #ends = new Map<string, number>();
  #served = 0;

  get length(): number {
    return this.#entries.filter(({ job }) => !job.isRequired).length;
  }

  push(job: T): void {
    const endsAt = Math.max(this.#ends.get(job.client) ?? 0, this.#served) + job.size;
    this.#ends.set(job.client, endsAt);
    this.#entries = [...this.#entries, { job, endsAt }];
  }

  /** Takes the next job. */
  shift(): T | undefined {
    const next = this.#entries.reduce<Entry<T> | undefined>(
      (first, entry) => (first === undefined || entry.endsAt < first.endsAt ? entry : first),
      undefined,
    );
    if (!next) {
      this.#ends.clear();
      this.#served = 0;
      return undefined;
    }
    this.#entries = this.#entries.filter((entry) => entry !== next);
    this.#served = Math.max(this.#served, next.endsAt - next.job.size);
    return next.job;
  }

  /**
   * Takes the last job of the client with the most jobs, to make room for one of `client`;
   * undefined if no client has more jobs than that one. The client is not charged for it.
   */
  displace(client: string): T | undefined {
    const entries = this.#entries.filter(({ job }) => !job.isRequired);
    const jobsOf = (name: string): number => entries.filter(({ job }) => job.client === name).length;
    const most = entries.reduce<Entry<T> | undefined>(
      (found, entry) => (found === undefined || jobsOf(entry.job.client) >= jobsOf(found.job.client) ? entry : found),
      undefined,
    );
    if (!most || jobsOf(most.job.client) <= jobsOf(client) + 1) return undefined;
    this.#entries = this.#entries.filter((entry) => entry !== most);
    this.#ends.set(most.job.client, most.endsAt - most.job.size);
    return most.job;
  }

  /** Removes a job that is no longer needed, if it waits. Its client stays charged for it. */
  remove(job: T): void {
    this.#entries = this.#entries.filter((entry) => entry.job !== job);
  }

  /** Takes all jobs. */
  clear(): readonly T[] {
    const jobs = this.#entries.map(({ job }) => job);
    this.#entries = [];
    return jobs;
  }
}
