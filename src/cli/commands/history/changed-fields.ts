import type { GenericObject } from '../../../client/api-object.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { ObjectState } from '../../object-history.ts';
import type { FieldPath } from './writer-of.ts';

/** The paths of the fields in which a state differs from the one before; none if it was created. */
export function changedFields({ change, object }: ObjectState, before: GenericObject | undefined): FieldPath[] {
  if (change !== 'changed' || !before) return [];
  return changedPaths(contentOf(before), contentOf(object), []);
}

/** The object without the fields that change with every write. */
function contentOf(object: GenericObject): JsonObject {
  // The codec of the client returns JSON values.
  const { metadata, ...others } = object as JsonObject;
  const { resourceVersion: _, managedFields: __, generation: ___, ...kept } = isJsonObject(metadata) ? metadata : {};
  return { ...others, metadata: kept };
}

/** The paths of the values that differ; below a list it is the list. */
function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath): FieldPath[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changedPaths(before[name], after[name], [...path, name]));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}
