import { getOwn, isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/** Fields of metadata in the order in which they are written. */
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

/** The fields that hold text. */
type TextField =
  | 'name'
  | 'generateName'
  | 'namespace'
  | 'uid'
  | 'resourceVersion'
  | 'creationTimestamp'
  | 'deletionTimestamp';

/** The metadata of an object as it stands; undefined where there is none, or it is no object. */
export function metadataOf(object: JsonObject): JsonObject | undefined {
  const metadata = getOwn(object, 'metadata');
  return isJsonObject(metadata) ? metadata : undefined;
}

/** One field of metadata as it stands. */
export function getMeta(object: JsonObject, field: MetadataField): JsonValue | undefined {
  const metadata = metadataOf(object);
  return metadata && getOwn(metadata, field);
}

/** Writes one field of metadata in place; undefined removes it. Metadata is made where there is none. */
export function setMeta(object: JsonObject, field: MetadataField, value: JsonValue | undefined): void {
  let metadata = metadataOf(object);
  if (!metadata) {
    metadata = {};
    object.metadata = metadata;
  }
  if (value === undefined) delete metadata[field];
  else metadata[field] = value;
}

/** A field of metadata that holds text; '' where it is absent or no text. */
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

/** When deletion was asked for, or '' for an object that nobody deletes. */
export function deletionTimestampOf(object: JsonObject): string {
  return metaText(object, 'deletionTimestamp');
}

/** Reads a map of texts; a map without prototype, so that a label may have any name. Entries that are no text are left out. */
function textMap(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  if (!isJsonObject(value)) return texts;
  for (const [key, item] of Object.entries(value)) if (typeof item === 'string') texts[key] = item;
  return texts;
}

/** `metadata.labels`, a copy without prototype; empty where there are none. */
export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMap(getMeta(object, 'labels'));
}

/** `metadata.annotations`, a copy without prototype; empty where there are none. */
export function annotationsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMap(getMeta(object, 'annotations'));
}

/** Writes `metadata.annotations`, or removes them when none are left. */
export function setAnnotations(object: JsonObject, annotations: Readonly<Record<string, string>>): void {
  setMeta(object, 'annotations', Object.keys(annotations).length > 0 ? { ...annotations } : undefined);
}

/** `metadata.finalizers`; empty where there are none. */
export function finalizersOf(object: JsonObject): readonly string[] {
  const finalizers = getMeta(object, 'finalizers');
  return Array.isArray(finalizers) ? finalizers.filter((finalizer) => typeof finalizer === 'string') : [];
}

/** Writes `metadata.finalizers`, or removes them when none are left. */
export function setFinalizers(object: JsonObject, finalizers: readonly string[]): void {
  setMeta(object, 'finalizers', finalizers.length > 0 ? [...finalizers] : undefined);
}

/** Puts the fields of metadata into the order in which they are written; unknown ones go last. In place. */
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
