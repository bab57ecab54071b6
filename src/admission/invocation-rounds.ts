import { equalValues } from '../scheme/model/equal-values.ts';
import { copyJsonObject, type JsonObject } from '../meta/json-value.ts';

/**
 * The webhooks or policies that change an object, and those of them that run again. One with
 * reinvocationPolicy IfNeeded runs a second time if the object changed after its run: by another
 * one, or by a plugin of the second round.
 */
export class InvocationRounds {
  readonly #called = new Set<string>();
  readonly #calledAgain = new Set<string>();
  #output: JsonObject | undefined;

  /** Begins the second round with the object that the other plugins made. */
  begin(object: JsonObject | undefined): void {
    if (this.#called.size > 0 && !equalValues(object, this.#output)) this.changed();
  }

  /** Ends a round. */
  end(object: JsonObject | undefined): void {
    if (this.#called.size > 0) this.#output = object && copyJsonObject(object);
  }

  /** Reports a change of the object: all that ran before have to see it. */
  changed(): void {
    for (const uid of this.#called) this.#calledAgain.add(uid);
    this.#called.clear();
  }

  /** Reports a run of one with reinvocationPolicy IfNeeded. */
  called(uid: string): void {
    this.#called.add(uid);
  }

  /** True if one runs in the second round. */
  isCalledAgain(uid: string): boolean {
    return this.#calledAgain.has(uid);
  }
}
