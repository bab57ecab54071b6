import type { JsonObject } from '../meta/json-value.ts';
import type { Claim } from './claim-fields.ts';

/** How a request makes the new object. */
export interface Change {
  /**
   * Makes the object, in the storage version, from the live one, which it leaves as it is; runs again on every conflict. On a
   * sub-resource that is a view, both are views. A promise where a large object gives way to other requests.
   */
  transform(live: JsonObject | undefined): JsonObject | Promise<JsonObject>;
  /** Whether a missing object is created: never, where the kind allows it, or always. */
  readonly createsMissing: 'never' | 'whereAllowed' | 'always';
  /** Whether the object's uid is a precondition rather than a change. */
  readonly uidIsPrecondition: boolean;
  /** Whether it is made from whatever the object has become: who loses then waits for those before it. */
  readonly takesTurns: boolean;
  /** How many writes may be lost to others. */
  readonly attempts?: number;
  /** Says who owns the fields, where that is not told by what changed. */
  readonly claim?: Claim | undefined;
}
