import type { JsonObject } from '../meta/json-value.ts';
import { objectAt, sameValue } from '../meta/read-field.ts';

/** Fields of metadata that the garbage collector changes, or the server itself. */
const collectorFields: ReadonlySet<string> = new Set([
  'ownerReferences',
  'finalizers',
  'managedFields',
  'resourceVersion',
  'generation',
]);

/**
 * Reports whether an update changes nothing but owners and finalizers. The garbage collector needs
 * no right to the content of an object.
 */
export function isCollectorUpdate(object: JsonObject, old: JsonObject): boolean {
  return sameValue(withoutCollectorFields(object), withoutCollectorFields(old));
}

function withoutCollectorFields(object: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(object, 'metadata')).filter(([field]) => !collectorFields.has(field));
  return { ...object, metadata: Object.fromEntries(metadata) };
}
