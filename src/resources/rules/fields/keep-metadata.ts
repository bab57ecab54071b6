import type { JsonObject } from '../../../meta/json-value.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { keepField, makeObjectAt, objectAt } from '../../../meta/read-field.ts';

/** The fields of metadata that users write. */
export const userFields: readonly string[] = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** All fields of metadata that an update could change. */
export const allFields: readonly string[] = [
  ...userFields,
  'generateName',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/**
 * The hooks of a `status` sub-resource that keep the named fields of the metadata unchanged. The
 * default is the fields that users write.
 */
export function keepMetadata(
  keptMetadata: readonly string[] = userFields,
): Pick<SubresourceStrategy, 'prepareForUpdate' | 'keptMetadata'> {
  return {
    keptMetadata,
    prepareForUpdate: (object: JsonObject, old: JsonObject) => {
      const metadata = makeObjectAt(object, 'metadata');
      for (const name of keptMetadata) keepField(metadata, objectAt(old, 'metadata'), name);
    },
  };
}
