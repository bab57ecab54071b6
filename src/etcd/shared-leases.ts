/** Maximum number of keys of a lease: etcd deletes all keys of an expired lease at one revision. */
const keysPerLease = 1000;
/**
 * How long new keys reuse a lease: a twentieth of the TTL, at most a minute by default. Keys may
 * outlive their TTL by this time.
 */
const usualReuseSeconds = 60;
const reuseShare = 0.05;

interface Lease {
  readonly id: string;
  /** `performance.now()` after which a new key would expire before its TTL. */
  readonly reusableUntilMs: number;
  keys: number;
}

/**
 * Leases shared by many keys, because etcd's work grows with their number (kube-apiserver does the
 * same). A key lives at least for its TTL, and at most about a minute longer.
 */
export class SharedLeases {
  readonly #grant: (ttlSeconds: number) => Promise<string>;
  readonly #reuseSeconds: number;
  /** The lease for new keys, by TTL in seconds. */
  readonly #current = new Map<number, Promise<Lease>>();

  constructor(grant: (ttlSeconds: number) => Promise<string>, reuseSeconds = usualReuseSeconds) {
    this.#grant = grant;
    this.#reuseSeconds = reuseSeconds;
  }

  /** The ID of a lease that lives at least `ttlSeconds`. Concurrent callers share one grant. */
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

  /** Stops using a lease that etcd no longer knows. */
  async forget(id: string): Promise<void> {
    for (const [ttlSeconds, granted] of this.#current) {
      const lease = await granted.catch(() => undefined);
      if (lease?.id === id && this.#current.get(ttlSeconds) === granted) this.#current.delete(ttlSeconds);
    }
  }

  /** Replaces the lease `used` by a new one, unless another call already has. */
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
    const extraSeconds = Math.min(this.#reuseSeconds, ttlSeconds * reuseShare);
    const reusableUntilMs = performance.now() + extraSeconds * 1000;
    // etcd takes whole seconds.
    return { id: await this.#grant(Math.ceil(ttlSeconds + extraSeconds)), reusableUntilMs, keys: 0 };
  }
}
