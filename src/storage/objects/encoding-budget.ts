import type { EncodingCache } from '../../codec/document.ts';

/** Limit of all cached encodings. Protobuf is about half as long as the JSON of an object. */
const limitBytes = 64 * 1024 * 1024;

/** An encoding of an object, in the cache of that object. */
interface CachedEncoding {
  readonly name: string;
  readonly bytes: Buffer;
  readonly encodings: Map<string, CachedEncoding>;
}

/**
 * Limits the bytes of the encodings that are cached with objects: other versions and media types
 * than those stored. The oldest ones are dropped first; they are then made again on request.
 */
export class EncodingBudget {
  readonly #limit: number;
  /** Oldest first. */
  readonly #cached = new Set<CachedEncoding>();
  #bytes = 0;

  constructor(limit = limitBytes) {
    this.#limit = limit;
  }

  /** Bytes of all cached encodings. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Creates the cache of one object. */
  createCache(): ObjectEncodings {
    return new ObjectEncodings(this);
  }

  /** Adds an encoding, and drops the oldest ones beyond the limit. */
  add(encoding: CachedEncoding): void {
    encoding.encodings.set(encoding.name, encoding);
    this.#cached.add(encoding);
    this.#bytes += encoding.bytes.length;
    for (const oldest of this.#cached) {
      if (this.#bytes <= this.#limit) break;
      this.drop(oldest);
    }
  }

  /** Drops an encoding. */
  drop(encoding: CachedEncoding): void {
    if (!this.#cached.delete(encoding)) return;
    this.#bytes -= encoding.bytes.length;
    encoding.encodings.delete(encoding.name);
  }
}

/** The cached encodings of one object. */
export class ObjectEncodings implements EncodingCache {
  readonly #budget: EncodingBudget;
  readonly #encodings = new Map<string, CachedEncoding>();

  constructor(budget: EncodingBudget) {
    this.#budget = budget;
  }

  get(name: string): Buffer | undefined {
    return this.#encodings.get(name)?.bytes;
  }

  set(name: string, bytes: Buffer): void {
    const before = this.#encodings.get(name);
    if (before) this.#budget.drop(before);
    this.#budget.add({ name, bytes, encodings: this.#encodings });
  }

  /** Drops all encodings of the object. */
  clear(): void {
    for (const encoding of this.#encodings.values()) this.#budget.drop(encoding);
  }
}
