import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { annotationsOf, setAnnotations, setMeta } from '../meta/object-meta.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { checkApplied } from './check-applied.ts';
import { compareValues } from './compare-values.ts';
import { difference, type FieldSet, noFields } from './field-set.ts';
import { canonicalJson } from './path-element.ts';

/**
 * The command-line client (kubectl). Its objects can change from client-side to server-side apply
 * without conflicts.
 */
export interface LastApplied {
  /** The name of the field manager. */
  readonly manager: string;
  /** The annotation with the configuration of its last client-side apply. */
  readonly annotation: string;
}

/**
 * The maximum total size of all annotations of an object. Beyond it the last-applied annotation is
 * dropped; it is only an aid for client-side apply.
 */
const annotationsLimitBytes = 256 * 1024;

/**
 * Returns the fields that the client set by client-side apply and that still have those values.
 * They cause no conflict, whichever manager is recorded for them, because the client itself set
 * them. Empty if the annotation is missing, invalid, or of another version.
 */
export function fieldsAsApplied(
  { annotation }: LastApplied,
  {
    live,
    schema,
    apiVersion,
  }: { readonly live: JsonObject; readonly schema: ObjectSchema; readonly apiVersion: string },
): FieldSet {
  const applied = parsed(annotationsOf(live)[annotation]);
  if (!applied || applied['apiVersion'] !== apiVersion) return noFields;
  const { problems, fields } = checkApplied(schema, applied);
  if (problems.length > 0) return noFields;
  const { added, modified, removed } = compareValues(schema, applied, live);
  return [added, modified, removed].reduce(difference, fields);
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    // JSON.parse returns plain JSON.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the object with an updated last-applied annotation, if it has one, so that a later
 * client-side apply works.
 */
export function withLastApplied({ annotation }: LastApplied, object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  if (!annotations[annotation]) return object;
  const next = { ...annotations, [annotation]: `${canonicalJson(withoutAnnotation(applied, annotation))}\n` };
  const size = Object.entries(next).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  const { [annotation]: _dropped, ...others } = next;
  const copy = { ...object, metadata: isJsonObject(object['metadata']) ? { ...object['metadata'] } : {} };
  setAnnotations(copy, size > annotationsLimitBytes ? others : next);
  return copy;
}

function withoutAnnotation(applied: JsonObject, annotation: string): JsonObject {
  const { metadata } = applied;
  if (!isJsonObject(metadata)) return applied;
  const copy = { ...applied, metadata: { ...metadata } };
  const { [annotation]: _dropped, ...others } = annotationsOf(copy);
  setMeta(copy, 'annotations', isJsonObject(copy.metadata['annotations']) ? { ...others } : undefined);
  return copy;
}
