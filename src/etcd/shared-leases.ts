/** Keys that a lease takes before a new one is granted: etcd deletes all keys of an expired lease at one revision. */
const keysPerLease = 1000;
/** How long a lease is given to new keys, and so by how much keys may outlive their time, at most a twentieth of it. */
const reuseSeconds = 60;
const reuseShare = 0.05;

interface Lease {
  readonly id: string;
  /** `performance.now()` after which the keys of today would not live as long as they should. */
  readonly reusableUntilMs: number;
  keys: number;
}

/**
 * Leases that many keys share, because etcd's work grows with their number (kube-apiserver does the same). A key with a lease
 * lives at least as long as it was asked for, and up to a minute longer.
 */
export class SharedLeases {
  readonly #grant: (ttlSeconds: number) => Promise<string>;
  /** The lease that new keys get, by their time to live. */
  readonly #current = new Map<number, Promise<Lease>>();

  constructor(grant: (ttlSeconds: number) => Promise<string>) {
    this.#grant = grant;
  }

  /** The id of a lease that lives at least so long. Callers at the same time wait for one grant. */
  async leaseFor(ttlSeconds: number): Promise<string> {
    const known = await this.#current.get(ttlSeconds);
    if (known && known.keys < keysPerLease && performance.now() < known.reusableUntilMs) {
      known.keys++;
      return known.id;
    }
    const lease = await this.#renewed(ttlSeconds, known);
    lease.keys++;
    return lease.id;
  }

  /** Gives a lease to no more keys: etcd does not know it any longer. */
  async forget(id: string): Promise<void> {
    for (const [ttlSeconds, granted] of this.#current) {
      const lease = await granted.catch(() => undefined);
      if (lease?.id === id && this.#current.get(ttlSeconds) === granted) this.#current.delete(ttlSeconds);
    }
  }

  /** A new lease in place of `used`, unless somebody else has already seen to it. */
  async #renewed(ttlSeconds: number, used: Lease | undefined): Promise<Lease> {
    const present = this.#current.get(ttlSeconds);
    if (present && (await present) !== used) return present;
    if (this.#current.get(ttlSeconds) !== present) return this.#renewed(ttlSeconds, used);
    const granting = this.#granted(ttlSeconds);
    this.#current.set(ttlSeconds, granting);
    granting.catch(() => {
      if (this.#current.get(ttlSeconds) === granting) this.#current.delete(ttlSeconds);
    });
    return granting;
  }

  async #granted(ttlSeconds: number): Promise<Lease> {
    const extraSeconds = Math.min(reuseSeconds, ttlSeconds * reuseShare);
    const reusableUntilMs = performance.now() + extraSeconds * 1000;
    // etcd counts in whole seconds.
    return { id: await this.#grant(Math.ceil(ttlSeconds + extraSeconds)), reusableUntilMs, keys: 0 };
  }
}
