import { type MaybeAsync, type MaybePromise, runMaybeAsync } from '../async/maybe-promise.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import {
  difference,
  equalSets,
  type FieldSet,
  intersection,
  isEmptySet,
  noFields,
  union,
  unownedFields,
} from './field-set.ts';
import { fieldsOfValue } from './check-applied.ts';
import type { Manager } from './managed-fields.ts';
import { removeFields } from './remove-fields.ts';

/** A version of a kind, with the conversions between it and the version of the request. */
export interface VersionView {
  readonly schema: ObjectSchema;
  /** The conversions do not change their argument. */
  readonly fromRequest: (object: JsonObject) => MaybePromise<JsonObject>;
  readonly toRequest: (object: JsonObject) => MaybePromise<JsonObject>;
  /** False if they only change the version, and drop fields that the other one does not declare. */
  readonly movesFields: boolean;
}

/** The input of `prune`. */
interface Prune {
  /** The live object merged with the configuration, in the version of the request. */
  readonly merged: JsonObject;
  /** The manager with the fields that it applied before. */
  readonly last: Manager;
  /** All current managers, including the applying manager with its new fields. */
  readonly managers: readonly Manager[];
  readonly apiVersion: string;
  /**
   * Returns the view in a version; undefined if the version is not served. Versions with the same
   * field paths must return the same view: no object is converted between them.
   */
  readonly view: (apiVersion: string) => VersionView | undefined;
}

/**
 * Removes the fields that a manager applied before and now omits, unless another manager owns them.
 * If all managers use versions with the same paths, this is one pass. Otherwise the owned fields
 * are computed in the version of each manager.
 */
export function prune(work: Prune): MaybePromise<JsonObject> {
  const { merged, last, managers, apiVersion } = work;
  const view = work.view(last.apiVersion);
  if (!view || isEmptySet(last.fields)) return merged;
  if (managers.some((other) => work.view(other.apiVersion) === view && equalSets(other.fields, last.fields))) {
    return merged;
  }
  const own = work.view(apiVersion);
  const one = view === own && managers.every((manager) => work.view(manager.apiVersion) === own);
  if (!one) return runMaybeAsync(pruneAcrossVersions(work, view, own));
  const owned = ownedBy(managers);
  return asObject(removeFields(view.schema, merged, difference(last.fields, owned), owned));
}

/**
 * Returns the union of all owned fields and of the unowned fields, which are never pruned: metadata
 * is kept when its last label is removed.
 */
function ownedBy(managers: readonly Manager[]): FieldSet {
  return managers.reduce((all, { fields }) => union(all, fields), unownedFields);
}

/**
 * Prunes, in the version of the last apply, fields that no manager owns in its own version. A
 * conversion may lose fields that one of the two versions lacks, so that each version only shows
 * which fields its managers keep.
 */
function* pruneAcrossVersions(
  work: Prune,
  lastView: VersionView,
  own: VersionView | undefined,
): MaybeAsync<JsonObject, JsonObject> {
  const { merged, last, managers, view } = work;
  const start = yield lastView.fromRequest(merged);
  const pruned = yield lastView.toRequest(asObject(removeFields(lastView.schema, start, last.fields, noFields)));
  let left = fieldsOfValue(lastView.schema, yield lastView.fromRequest(pruned));
  for (const apiVersion of new Set(managers.map((manager) => manager.apiVersion))) {
    const other = view(apiVersion);
    if (!other) continue;
    const owned = ownedBy(managers.filter((manager) => manager.apiVersion === apiVersion));
    const kept = yield other.toRequest(yield* keepOwned(other, { merged, pruned, owned }));
    left = union(left, fieldsOfValue(lastView.schema, yield lastView.fromRequest(kept)));
  }
  const lost = intersection(difference(fieldsOfValue(lastView.schema, start), left), last.fields);
  const rest = yield lastView.toRequest(asObject(removeFields(lastView.schema, start, lost, left)));
  if (!own || lastView === own) return rest;
  return withoutLost(own, { merged, before: yield lastView.toRequest(start), after: rest });
}

/**
 * Returns the merged object without the fields that were removed between two states of its
 * conversion.
 */
function withoutLost(
  { schema }: VersionView,
  { merged, before, after }: Readonly<Record<'merged' | 'before' | 'after', JsonObject>>,
): JsonObject {
  const left = fieldsOfValue(schema, after);
  return asObject(removeFields(schema, merged, difference(fieldsOfValue(schema, before), left), left));
}

/**
 * Returns the merged object in a version, without the fields that pruning removed, but with the
 * owned fields.
 */
function* keepOwned(
  { schema, fromRequest }: VersionView,
  state: { readonly merged: JsonObject; readonly pruned: JsonObject; readonly owned: FieldSet },
): MaybeAsync<JsonObject, JsonObject> {
  const merged = yield fromRequest(state.merged);
  const left = fieldsOfValue(schema, yield fromRequest(state.pruned));
  const lost = difference(fieldsOfValue(schema, merged), left);
  return asObject(removeFields(schema, merged, lost, union(left, state.owned)));
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
