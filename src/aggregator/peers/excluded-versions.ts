/**
 * How long a version stays excluded after its definitions or APIServices are deleted. Peers need
 * this time to notice, as in kube-apiserver.
 */
const graceMs = 300_000;

/**
 * The versions of custom resources and aggregated servers. All servers of a store have these
 * versions, so that no peer is needed. Returns the same set while it does not change.
 */
export class ExcludedVersions {
  readonly #now: () => number;
  #present: ReadonlySet<string> = new Set();
  readonly #gone = new Map<string, number>();
  #excluded: ReadonlySet<string> = this.#present;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Sets the present versions, as `group/version`. Returns all excluded versions. */
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
