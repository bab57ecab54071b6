/** The addresses of pods on stand-in nodes: 10.64.0.0/10, one after another. */
export class PodIps {
  readonly #byUid = new Map<string, string>();
  #next = 1;

  /** The address of a pod, the same one at each call. */
  of(uid: string): string {
    const ip = this.#byUid.get(uid) ?? this.#take();
    this.#byUid.set(uid, ip);
    return ip;
  }

  /** Forgets the address of a pod that is gone. */
  release(uid: string): void {
    this.#byUid.delete(uid);
  }

  #take(): string {
    const index = this.#next++ & 0x3f_ffff;
    return `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  }
}
