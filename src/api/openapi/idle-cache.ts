/**
 * Values by key that are made on demand and dropped when nobody has asked for them for some time.
 * Its timer does not keep the process alive, and stops with the last value.
 */
export class IdleCache<Key, Value> {
  readonly #idleMs: number;
  readonly #entries = new Map<Key, { readonly value: Value; usedMs: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** The number of kept values. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: Key, make: () => Value): Value {
    const entry = this.#entries.get(key) ?? { value: make(), usedMs: 0 };
    entry.usedMs = performance.now();
    this.#entries.set(key, entry);
    this.#timer ??= setInterval(() => this.#drop(), this.#idleMs / 2).unref();
    return entry.value;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  #drop(): void {
    const limitMs = performance.now() - this.#idleMs;
    for (const [key, { usedMs }] of this.#entries) if (usedMs < limitMs) this.#entries.delete(key);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
