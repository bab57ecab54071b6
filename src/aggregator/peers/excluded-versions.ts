/**
 * How long a version that definitions or APIServices no longer have stays excluded: until peers
 * have seen it go too (as in kube-apiserver).
 */
const graceMs = 300_000;

/**
 * The versions that peers are not asked for, because all servers of a store have the same: those of
 * custom resources and of other servers. Returns the same set while it does not change.
 */
export class ExcludedVersions {
  readonly #now: () => number;
  #present: ReadonlySet<string> = new Set();
  readonly #gone = new Map<string, number>();
  #excluded: ReadonlySet<string> = this.#present;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes the present versions, as `group/version`: the same set while they are equal. */
  with(present: ReadonlySet<string>): ReadonlySet<string> {
    const expired = [...this.#gone].filter(([, goneMs]) => this.#now() - goneMs > graceMs);
    if (present === this.#present && expired.length === 0) return this.#excluded;
    for (const [version] of expired) this.#gone.delete(version);
    for (const version of this.#present) if (!present.has(version)) this.#gone.set(version, this.#now());
    for (const version of present) this.#gone.delete(version);
    this.#present = present;
    return (this.#excluded = new Set([...present, ...this.#gone.keys()]));
  }
}
