/** The addresses of the range. */
const most = 0x40_0000;

/** The addresses of pods on stand-in nodes: 10.64.0.0/10, one after another. */
export class PodIps {
  readonly #byUid = new Map<string, string>();
  readonly #used = new Set<string>();
  #next = 1;

  /** The address of a pod, the same one at each call. */
  of(uid: string): string {
    const ip = this.#byUid.get(uid) ?? this.#free();
    this.note(uid, ip);
    return ip;
  }

  /** Notes the address that a pod has, perhaps from a process that ran before. */
  note(uid: string, ip: string): void {
    if (this.#byUid.has(uid)) return;
    this.#byUid.set(uid, ip);
    this.#used.add(ip);
  }

  /** Forgets the address of a pod that is gone. */
  release(uid: string): void {
    this.#used.delete(this.#byUid.get(uid) ?? '');
    this.#byUid.delete(uid);
  }

  #free(): string {
    for (let tries = 1; tries < most; tries++) {
      const ip = this.#take();
      if (!this.#used.has(ip)) return ip;
    }
    return this.#take();
  }

  #take(): string {
    const index = this.#next++ & (most - 1);
    return `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  }
}
