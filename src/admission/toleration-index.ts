import type { Toleration } from '../gen/stored/core-v1.ts';
import { identityOfValue } from '../meta/read-field.ts';

/**
 * Tolerations by the taints that they tolerate. A toleration covers another if it tolerates the
 * same taints at least, for as long at least. Looking one up compares it with few of the others:
 * the lists of Pods and namespaces are long enough that comparing all pairs blocks the event loop.
 */
export class TolerationIndex {
  /** The times of those that tolerate the same taints, by their identities. */
  readonly #seconds = new Map<string, Map<string, number>>();
  readonly #identities = new Set<string>();

  constructor(tolerations: Iterable<Toleration> = []) {
    for (const toleration of tolerations) this.add(toleration);
  }

  add(toleration: Toleration): void {
    const identity = identityOfValue(toleration);
    if (this.#identities.has(identity)) return;
    this.#identities.add(identity);
    const taints = taintsOf(toleration);
    let seconds = this.#seconds.get(taints);
    if (!seconds) this.#seconds.set(taints, (seconds = new Map()));
    seconds.set(identity, toleration.effect === 'NoExecute' ? secondsOf(toleration) : forever);
  }

  /** Reports whether one of the tolerations covers this one, or equals it. */
  covers(toleration: Toleration): boolean {
    return this.#identities.has(identityOfValue(toleration)) || this.coversByAnother(toleration);
  }

  /** Reports whether a toleration that does not equal this one covers it. */
  coversByAnother(toleration: Toleration): boolean {
    const own = identityOfValue(toleration);
    const needed = secondsOf(toleration);
    return widerTaints(toleration).some((taints) => {
      for (const [identity, seconds] of this.#seconds.get(taints) ?? []) {
        if (seconds >= needed && identity !== own) return true;
      }
      return false;
    });
  }
}

const forever = Number.POSITIVE_INFINITY;

/** A toleration without seconds lasts for ever. */
function secondsOf({ tolerationSeconds = forever }: Toleration): number {
  return Number(tolerationSeconds);
}

/** An empty key with `Exists` tolerates all keys, an empty effect all effects. */
function taintsOf({ key = '', operator, value = '', effect = '' }: Toleration): string {
  if (operator !== 'Exists') return mapKey(key, effect, value);
  return mapKey(key === '' ? undefined : key, effect);
}

/** The taints of tolerations that cover this one. */
function widerTaints({ key = '', operator, value = '', effect: own = '' }: Toleration): readonly string[] {
  // As in kube-apiserver, `Equal` does not cover a toleration without operator.
  const isEqual = operator === 'Equal';
  return [...new Set(['', own])].flatMap((effect) => [
    mapKey(undefined, effect),
    mapKey(key, effect),
    ...(isEqual ? [mapKey(key, effect, value)] : []),
  ]);
}

/** A key of the index: without `key` for all keys, without `value` for all values. */
function mapKey(key: string | undefined, effect: string, value?: string): string {
  return JSON.stringify([key ?? null, effect, value ?? null]);
}
