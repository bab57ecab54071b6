import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { refuseType } from '../model/decode-position.ts';
import { formatPath, type PathStep } from '../model/format-path.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';
import { sortKeys } from '../../meta/sort-keys.ts';

/** The position in a document, and the fields that were removed so far. */
export interface PrunePosition {
  readonly steps: PathStep[];
  readonly unknownFields: string[];
  /** True if nothing is removed at any depth (`preserveUnknownFields` of v1beta1). */
  readonly keepsAll: boolean;
  /** Decodes the metadata of a whole object here; throws a DecodeError. */
  readonly decodeMetadata: (metadata: JsonValue, position: PrunePosition) => JsonValue;
}

/** The fields of every whole object. */
const identityFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Further unknown fields are removed without a report, as Go's decoder does. */
const unknownFieldLimit = 100;

/**
 * Removes the fields that a schema does not know, and reports their paths. Returns a value with
 * sorted keys that shares nothing mutable with the given one. Values of wrong types are kept, for
 * validation, except in the type and the metadata of whole objects: there they throw a DecodeError.
 * No schema: no field is known.
 */
export function pruneStructural(
  schema: StructuralSchema | undefined,
  value: JsonValue,
  position: PrunePosition,
): JsonValue {
  return prunedPart(schema, value, position, position.keepsAll || schema?.preserveUnknown === true);
}

/**
 * `keeps`: unknown fields are kept here. In lists it holds for the items too, and a value that has
 * no schema of its own is kept whole.
 */
function prunedPart(
  schema: StructuralSchema | undefined,
  value: JsonValue,
  position: PrunePosition,
  keeps: boolean,
): JsonValue {
  if (keeps && !schema) return sortKeys(value);
  if (Array.isArray(value)) {
    const items = schema?.items;
    const keepsItems = keeps || items?.preserveUnknown === true;
    return value.map((item, index) => below(position, index, () => prunedPart(items, item, position, keepsItems)));
  }
  return isJsonObject(value) ? prunedObject(schema, value, position, keeps) : value;
}

function prunedObject(
  schema: StructuralSchema | undefined,
  value: JsonObject,
  position: PrunePosition,
  keeps: boolean,
): JsonObject {
  const pruned: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) {
    const part = value[key] ?? null;
    const known = partOf(schema, key);
    if (known === 'identity')
      setOwn(
        pruned,
        key,
        below(position, key, () => identityPart(key, part, position)),
      );
    else if (known !== 'unknown') {
      setOwn(
        pruned,
        key,
        below(position, key, () => pruneStructural(known, part, position)),
      );
    } else if (keeps) setOwn(pruned, key, sortKeys(part));
    else report(position, key);
  }
  return pruned;
}

function identityPart(key: string, part: JsonValue, position: PrunePosition): JsonValue {
  if (key === 'metadata') return part === null ? part : embeddedMetadata(position.decodeMetadata(part, position));
  return typeof part === 'string' ? part : refuseType(part, 'string', { base: '', ...position });
}

/** The metadata without the creationTimestamp, which only stored objects have. Mutates. */
function embeddedMetadata(metadata: JsonValue): JsonValue {
  if (isJsonObject(metadata) && metadata['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  return metadata;
}

/** The schema of a field, if it is known; undefined if its value has no fields. */
function partOf(
  schema: StructuralSchema | undefined,
  key: string,
): StructuralSchema | undefined | 'identity' | 'unknown' {
  if (schema?.embedded && identityFields.has(key)) return 'identity';
  const known = schema?.properties.get(key);
  if (known) return known;
  if (schema?.additional === undefined) return 'unknown';
  return schema.additional === true ? undefined : schema.additional;
}

function below<Result>({ steps }: PrunePosition, step: PathStep, work: () => Result): Result {
  steps.push(step);
  const result = work();
  steps.pop();
  return result;
}

function report({ steps, unknownFields }: PrunePosition, key: string): void {
  if (unknownFields.length < unknownFieldLimit) unknownFields.push(formatPath('', [...steps, key]));
}
