import type { JsonObject } from '../../meta/json-value.ts';
import type { SubresourceStrategy } from '../../registry/strategy.ts';
import { keepField, makeObjectAt, objectAt } from '../../meta/read-field.ts';

/** What users write in metadata. */
const userFields = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Makes a status sub-resource that leaves the named parts of metadata alone; the users' own parts by default. */
export function keepMetadata(
  fields: readonly string[] = userFields,
): NonNullable<SubresourceStrategy['prepareForUpdate']> {
  return (object: JsonObject, old: JsonObject) => {
    const metadata = makeObjectAt(object, 'metadata');
    for (const name of fields) keepField(metadata, objectAt(old, 'metadata'), name);
  };
}
