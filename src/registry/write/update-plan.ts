import type { JsonObject } from '../../meta/json-value.ts';
import type { TrackOwnership } from './track-ownership.ts';

/** The way in which a request makes the new object. */
export interface UpdatePlan {
  /**
   * Makes the new object in the storage version; must not mutate `live`. Called again after each
   * conflict. For a view, argument and result are views. Returns a promise if work on a large
   * object yields to other requests.
   */
  transform(live: JsonObject | undefined): JsonObject | Promise<JsonObject>;
  /** Controls the creation of a missing object: never, only for kinds that allow it, or always. */
  readonly createsMissing: 'never' | 'whereAllowed' | 'always';
  /** True if the object's uid is a precondition; false if it is a change of the field. */
  readonly uidIsPrecondition: boolean;
  /**
   * True if the change is computed from the current object, so that a retry can succeed: after a
   * conflict the write queues for the lock of its key.
   */
  readonly usesKeyLock: boolean;
  /** How many attempts may lose a conflict before the write fails. */
  readonly attempts?: number;
  /**
   * Records the field managers; absent: they are derived from the difference between old and new
   * object.
   */
  readonly setManagers?: TrackOwnership | undefined;
  /**
   * True if forbidden nulls of a custom object are kept until validation, which refuses them. They
   * are only removed when a body is decoded, whereas an apply merges values.
   */
  readonly keepsNulls?: boolean;
}
