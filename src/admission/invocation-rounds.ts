import { equalValues } from '../scheme/model/equal-values.ts';
import { copyJsonObject, type JsonObject } from '../meta/json-value.ts';

/**
 * Decides which mutating webhooks or policies run a second time. One with reinvocationPolicy
 * IfNeeded does if the object changed after its first run: by another webhook or policy, or by a
 * plugin in the second round.
 */
export class InvocationRounds {
  readonly #called = new Set<string>();
  readonly #calledAgain = new Set<string>();
  #output: JsonObject | undefined;

  /** Begins the second round with the object after all other plugins. */
  begin(object: JsonObject | undefined): void {
    if (this.#called.size > 0 && !equalValues(object, this.#output)) this.changed();
  }

  /** Ends a round. */
  end(object: JsonObject | undefined): void {
    if (this.#called.size > 0) this.#output = object && copyJsonObject(object);
  }

  /** Records a change of the object: everything that ran before must run again. */
  changed(): void {
    for (const uid of this.#called) this.#calledAgain.add(uid);
    this.#called.clear();
  }

  /** Records a run of a webhook or policy with reinvocationPolicy IfNeeded. */
  called(uid: string): void {
    this.#called.add(uid);
  }

  /** True if a webhook or policy runs in the second round. */
  isCalledAgain(uid: string): boolean {
    return this.#calledAgain.has(uid);
  }
}
