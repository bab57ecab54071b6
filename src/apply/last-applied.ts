import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { annotationsOf, setAnnotations, setMeta } from '../meta/object-meta.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { checkApplied } from './check-applied.ts';
import { compareValues } from './compare-values.ts';
import { difference, type FieldSet, noFields } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { canonicalJson } from './path-element.ts';

/** The command-line client, whose objects move from client-side to server-side apply without conflicts. */
export interface LastApplied {
  /** Its field manager. */
  readonly manager: string;
  /** Where it keeps what it applied by itself. */
  readonly annotation: string;
}

/** All annotations of an object together; beyond it the annotation goes, which is only a help. */
const annotationsLimitBytes = 256 * 1024;

/**
 * The fields that the client applied by itself and that still have the values it gave them. Those it may take from whoever is
 * said to manage them: it is itself. None where the annotation is missing or says nothing of this version.
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
  if (!applied || applied['apiVersion'] !== apiVersion || checkApplied(schema, applied).length > 0) return noFields;
  const { added, modified, removed } = compareValues(schema, applied, live);
  return [added, modified, removed].reduce(difference, fieldsOfValue(schema, applied));
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    // JSON.parse gives plain JSON and nothing else.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object with its annotation brought up to date, where it has one, so that a client-side apply may follow. */
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
