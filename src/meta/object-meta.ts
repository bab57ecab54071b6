import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts';

/** The fields of metadata in serialization order. */
const fieldOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'clusterName',
  'managedFields',
] as const;

/** The name of a field of metadata. */
export type MetadataField = (typeof fieldOrder)[number];

/** The fields with string values. */
type TextField =
  | 'name'
  | 'generateName'
  | 'namespace'
  | 'uid'
  | 'resourceVersion'
  | 'creationTimestamp'
  | 'deletionTimestamp';

/** The metadata of an object; undefined if it is absent or not an object. */
export function metadataOf(object: JsonObject): JsonObject | undefined {
  const metadata = getOwn(object, 'metadata');
  return isJsonObject(metadata) ? metadata : undefined;
}

/** One field of metadata, not validated. */
export function getMeta(object: JsonObject, field: MetadataField): JsonValue | undefined {
  const metadata = metadataOf(object);
  return metadata && getOwn(metadata, field);
}

/** Sets one field of metadata in place; undefined deletes it. Creates missing metadata. */
export function setMeta(object: JsonObject, field: MetadataField, value: JsonValue | undefined): void {
  let metadata = metadataOf(object);
  if (!metadata) {
    metadata = {};
    object.metadata = metadata;
  }
  if (value === undefined) delete metadata[field];
  else metadata[field] = value;
}

/** A string field of metadata; '' if it is absent or not a string. */
export function metaText(object: JsonObject, field: TextField): string {
  const value = getMeta(object, field);
  return typeof value === 'string' ? value : '';
}

/** `metadata.name`, or ''. */
export function nameOf(object: JsonObject): string {
  return metaText(object, 'name');
}

/** `metadata.namespace`, or ''. */
export function namespaceOf(object: JsonObject): string {
  return metaText(object, 'namespace');
}

/** `metadata.uid`, or ''. */
export function uidOf(object: JsonObject): string {
  return metaText(object, 'uid');
}

/** `metadata.resourceVersion` as text, or ''. */
export function resourceVersionOf(object: JsonObject): string {
  return metaText(object, 'resourceVersion');
}

/** `metadata.generation`, or 0. */
export function generationOf(object: JsonObject): number {
  const generation = getMeta(object, 'generation');
  return typeof generation === 'number' ? generation : 0;
}

/** A copy with another `metadata.resourceVersion`, in its place; shares all other values. */
export function withResourceVersion(object: JsonObject, resourceVersion: string): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || Object.hasOwn(metadata, 'resourceVersion')) {
    return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion } };
  }
  const copy: JsonObject = {};
  for (const [field, value] of Object.entries(metadata)) {
    setOwn(copy, field, value);
    if (field === 'uid') copy['resourceVersion'] = resourceVersion;
  }
  return { ...object, metadata: Object.hasOwn(copy, 'resourceVersion') ? copy : { resourceVersion, ...copy } };
}

/** The time of the requested deletion; '' if the object is not being deleted. */
export function deletionTimestampOf(object: JsonObject): string {
  return metaText(object, 'deletionTimestamp');
}

/** Copies the string entries of a map. The copy has no prototype, so that any key is safe. */
function textMap(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  if (!isJsonObject(value)) return texts;
  for (const [key, item] of Object.entries(value)) if (typeof item === 'string') texts[key] = item;
  return texts;
}

/** `metadata.labels` as a copy without prototype; empty if absent. */
export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMap(getMeta(object, 'labels'));
}

/** `metadata.annotations` as a copy without prototype; empty if absent. */
export function annotationsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMap(getMeta(object, 'annotations'));
}

/** Sets `metadata.annotations`; deletes the field if there are none. */
export function setAnnotations(object: JsonObject, annotations: Readonly<Record<string, string>>): void {
  setMeta(object, 'annotations', Object.keys(annotations).length > 0 ? { ...annotations } : undefined);
}

/** `metadata.finalizers`; empty if absent. */
export function finalizersOf(object: JsonObject): readonly string[] {
  const finalizers = getMeta(object, 'finalizers');
  return Array.isArray(finalizers) ? finalizers.filter((finalizer) => typeof finalizer === 'string') : [];
}

/** Sets `metadata.finalizers`; deletes the field if there are none. */
export function setFinalizers(object: JsonObject, finalizers: readonly string[]): void {
  setMeta(object, 'finalizers', finalizers.length > 0 ? [...finalizers] : undefined);
}

/** Sorts the fields of metadata into serialization order, in place; unknown ones come last. */
export function orderMetadata(object: JsonObject): void {
  const metadata = metadataOf(object);
  if (!metadata) return;
  const ordered: JsonObject = {};
  for (const field of fieldOrder) {
    const value = getOwn(metadata, field);
    if (value !== undefined) ordered[field] = value;
  }
  object.metadata = { ...ordered, ...metadata };
}
