import { copyJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { equalValues } from '../../apply/equal-values.ts';

/**
 * The webhooks of a request that are called again. A webhook with reinvocationPolicy IfNeeded is
 * called a second time if the object changed after its call: by another webhook, or by a plugin of
 * the second round.
 */
export class WebhookRounds {
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

  /** Reports a change of the object: all webhooks that were called before have to see it. */
  changed(): void {
    for (const uid of this.#called) this.#calledAgain.add(uid);
    this.#called.clear();
  }

  /** Reports a call of a webhook with reinvocationPolicy IfNeeded. */
  called(uid: string): void {
    this.#called.add(uid);
  }

  /** True if a webhook is called in the second round. */
  isCalledAgain(uid: string): boolean {
    return this.#calledAgain.has(uid);
  }
}
