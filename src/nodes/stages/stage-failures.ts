/** After this many failures one after the other a stage is switched off. */
const failureLimit = 5;

/** After it was switched off in this many namespaces a stage is switched off in all of them. */
const namespaceLimit = 100;

/**
 * The failures of a stage by namespaces, so that the objects of one user cannot switch it off for
 * the others. The namespace of nodes is ''.
 */
export class StageFailures {
  readonly #counts = new Map<string, number>();
  readonly #off = new Set<string>();

  /** True if the stage is switched off for the objects of a namespace. */
  isOff(namespace: string): boolean {
    return this.#off.size >= namespaceLimit || this.#off.has(namespace);
  }

  /** Notes that nothing failed for an object. */
  clear(namespace: string): void {
    this.#counts.delete(namespace);
  }

  /** Counts a failure. Returns the sentence about a stage that is switched off by it. */
  add(namespace: string): string | undefined {
    const count = (this.#counts.get(namespace) ?? 0) + 1;
    this.#counts.set(namespace, count);
    if (count < failureLimit || this.isOff(namespace)) return undefined;
    this.#counts.delete(namespace);
    this.#off.add(namespace);
    const isEverywhere = this.#off.size >= namespaceLimit;
    const place = isEverywhere ? ' in all namespaces' : namespace === '' ? '' : ` in namespace ${namespace}`;
    return `the stage is switched off${place} until it is changed, after ${failureLimit} failures`;
  }
}
