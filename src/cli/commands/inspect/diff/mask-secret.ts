import { isJsonObject, type JsonObject, type JsonValue } from '../../../../meta/json-value.ts';
import { hiddenAnnotations } from '../describe/parts/fields.ts';

const mask = '***';

/** The two states of an object. */
type States = readonly [before: JsonObject | undefined, after: JsonObject | undefined];

/** Replaces the values of Secrets, so that only the keys show, and whether a value changes. */
export function maskSecret(kind: string, [before, after]: States): States {
  if (kind !== 'Secret') return [before, after];
  return [before && masked(before, after, `${mask} (before)`), after && masked(after, before, `${mask} (after)`)];
}

function masked(object: JsonObject, other: JsonObject | undefined, changed: string): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : undefined;
  return {
    ...object,
    ...Object.fromEntries(
      ['data', 'stringData']
        .filter((key) => key in object)
        .map((key) => [key, maskedMap(object[key], other?.[key], changed)]),
    ),
    metadata: { ...metadata, ...(annotations ? { annotations: maskedAnnotations(annotations) } : {}) },
  };
}

function maskedMap(map: JsonValue | undefined, other: JsonValue | undefined, changed: string): JsonValue {
  if (!isJsonObject(map)) return map === null || map === undefined ? null : mask;
  const known = isJsonObject(other) ? other : {};
  const value = (key: string) => (Object.hasOwn(known, key) && known[key] !== map[key] ? changed : mask);
  return Object.fromEntries(Object.keys(map).map((key) => [key, value(key)]));
}

/** The annotation of client-side apply has the values too. */
function maskedAnnotations(annotations: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key, hiddenAnnotations.has(key) ? mask : value]),
  );
}
