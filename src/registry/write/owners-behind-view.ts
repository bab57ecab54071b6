import { differenceWithBelow, fieldSetOf, isEmptySet } from '../../apply/field-set.ts';
import type { Manager } from '../../apply/managed-fields.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { WriteRequest } from '../definition/stored-resource.ts';
import { viewManagers } from '../definition/subresource-view.ts';

/** The first release in which managers of the object own the fields of its Scale. */
export const ownedScalesSince = '1.22';

/** An update through a view. */
interface UpdateBehindView {
  readonly object: JsonObject;
  /** The managers before the update. */
  readonly stored: JsonValue | undefined;
  /** The managers after the update, as if the whole object had been written. */
  readonly managers: readonly Manager[];
}

/**
 * The managers after an update through a view such as `scale`. As in kube-apiserver the writer owns
 * the field only if the view shows its value, which excludes 0, and only if the view had a manager
 * before.
 */
export function ownersBehindView(
  { resource, scope, options }: WriteRequest,
  { object, stored, managers }: UpdateBehindView,
): readonly Manager[] {
  const view = resource.strategy.subresources?.[scope.subresource]?.view;
  if (!view || !isSince(scope.emulated.release, ownedScalesSince)) return managers;
  const isShown = (valueAt(object, view.field) ?? 0) !== 0;
  if (isShown && viewManagers(stored, view.field, '').length > 0) return managers;
  const field = fieldSetOf([view.field.map((name) => `f:${name}`)]);
  return managers.flatMap((manager) => {
    const { name, operation, subresource } = manager;
    const isWriter = name === options.fieldManager && operation === 'Update' && subresource === scope.subresource;
    if (!isWriter) return [manager];
    const fields = differenceWithBelow(manager.fields, field);
    return isEmptySet(fields) ? [] : [{ ...manager, fields }];
  });
}

/** The value at a path of names; undefined if there is none. */
export function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? getOwn(value, name) : undefined),
    object,
  );
}
