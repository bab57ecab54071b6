import type { ObjectMetadata } from '../api-object.ts';

/** The texts that are remembered; then it begins again. */
const textLimit = 10_000;

/**
 * Gives equal texts of objects one string. Every parsed object has strings of its own, of 24 bytes
 * or more, although most objects share their namespace, their owner and their labels.
 */
export class TextPool {
  readonly #texts = new Map<string, string>();

  /** Replaces the strings of metadata that other objects may have too. */
  shareIn(metadata: ObjectMetadata): void {
    const { namespace, creationTimestamp, labels, ownerReferences } = metadata;
    if (namespace !== undefined) metadata.namespace = this.#share(namespace);
    if (creationTimestamp !== undefined) metadata.creationTimestamp = this.#share(creationTimestamp);
    for (const name in labels) labels[name] = this.#share(labels[name] ?? '');
    for (const owner of ownerReferences ?? []) {
      owner.apiVersion = this.#share(owner.apiVersion);
      owner.kind = this.#share(owner.kind);
      owner.name = this.#share(owner.name);
      owner.uid = this.#share(owner.uid);
    }
  }

  #share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= textLimit) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
