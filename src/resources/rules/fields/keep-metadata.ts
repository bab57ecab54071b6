import type { JsonObject } from '../../../meta/json-value.ts';
import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import { keepField, makeObjectAt, objectAt } from '../../../meta/read-field.ts';

/** What users write in metadata. */
export const userFields: readonly string[] = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** All of the metadata that an update could change. */
export const allFields: readonly string[] = [
  ...userFields,
  'generateName',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** What makes a status sub-resource leave the named parts of metadata alone; the users' own parts by default. */
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
