import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { isJsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { unownedFields } from './unowned-fields.ts';
import { difference, equalSets, type FieldSet, intersection, isEmptySet, noFields, union } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import type { Manager } from './managed-fields.ts';
import { removeFields } from './remove-fields.ts';

/** A version of a kind, and the way of an object from the version of a request into it and back. */
export interface VersionView {
  readonly schema: ObjectSchema;
  /** Neither changes its argument. */
  readonly fromRequest: (object: JsonObject) => JsonObject;
  readonly toRequest: (object: JsonObject) => JsonObject;
}

/** What pruning has to know. */
interface Prune {
  /** The live object with the configuration merged in, in the version of the request. */
  readonly merged: JsonObject;
  /** What the manager applied before. */
  readonly last: Manager;
  /** Everybody who owns something now, the manager with its new fields among them. */
  readonly managers: readonly Manager[];
  readonly apiVersion: string;
  /** Undefined for a version that is not served. */
  readonly view: (apiVersion: string) => VersionView | undefined;
}

/**
 * Takes out of an object what its manager applied before and now leaves out, unless it belongs to somebody else. In one
 * version, that is one walk; where managers speak several versions, each says in its own what is to stay.
 */
export function prune(work: Prune): JsonObject {
  const { merged, last, managers, apiVersion } = work;
  const view = work.view(last.apiVersion);
  if (!view || isEmptySet(last.fields)) return merged;
  if (managers.some(({ apiVersion: other, fields }) => other === last.apiVersion && equalSets(fields, last.fields))) {
    return merged;
  }
  const one = last.apiVersion === apiVersion && managers.every((manager) => manager.apiVersion === apiVersion);
  if (!one) return pruneAcrossVersions(work, view);
  const owned = ownedBy(managers);
  return asObject(removeFields(view.schema, merged, difference(last.fields, owned), owned));
}

/** What is nobody's is nobody's to take away either: metadata stays when its last label goes. */
function ownedBy(managers: readonly Manager[]): FieldSet {
  return managers.reduce((all, { fields }) => union(all, fields), unownedFields);
}

/** The object is held in the version of the request between two steps, so that each converts from there. */
function pruneAcrossVersions({ merged, last, managers, view }: Prune, lastView: VersionView): JsonObject {
  const start = lastView.fromRequest(merged);
  let pruned = lastView.toRequest(asObject(removeFields(lastView.schema, start, last.fields, noFields)));
  for (const apiVersion of new Set(managers.map((manager) => manager.apiVersion))) {
    const other = view(apiVersion);
    if (!other) continue;
    const owned = ownedBy(managers.filter((manager) => manager.apiVersion === apiVersion));
    pruned = other.toRequest(keepOwned(other, { merged, pruned, owned, within: undefined }));
  }
  return lastView.toRequest(keepOwned(lastView, { merged, pruned, owned: noFields, within: last.fields }));
}

/** The merged object without what pruning took away, but with what is owned. `within` limits what may be taken away. */
function keepOwned(
  { schema, fromRequest }: VersionView,
  state: {
    readonly merged: JsonObject;
    readonly pruned: JsonObject;
    readonly owned: FieldSet;
    readonly within: FieldSet | undefined;
  },
): JsonObject {
  const merged = fromRequest(state.merged);
  const left = fieldsOfValue(schema, fromRequest(state.pruned));
  const lost = difference(fieldsOfValue(schema, merged), left);
  const taken = state.within ? intersection(lost, state.within) : lost;
  return asObject(removeFields(schema, merged, taken, union(left, state.owned)));
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
