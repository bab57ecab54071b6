import { JsonDecodeError } from '../../../codec/decode-error.ts';
import { encodeJson } from '../../../codec/encode-json.ts';
import { parseJson } from '../../../codec/parse-json.ts';
import { decodePart } from '../../../scheme/decode-object.ts';
import { FieldDecodeError } from '../../../scheme/model/field-decode-error.ts';
import { schemaOf } from '../../../scheme/schema-of.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { annotationsOf, metadataOf, setAnnotations } from '../../../meta/object-meta.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';

const partNames = ['spec', 'status'] as const;

/**
 * Extends the conversion of an older version that lacks fields: if spec or status cannot be
 * converted without loss, an annotation keeps it. If a client changes the part in the older
 * version, the kept one is dropped. No release serves both versions, so that this only concerns
 * servers that have changed their emulated release. `message` is the stored message.
 */
export function keepingParts(
  { toStorage, fromStorage, ...conversion }: Conversion,
  group: string,
  message: string,
): Conversion {
  const nameOf = ({ apiDomain }: Identifiers) => `${group}.${apiDomain}/newer-version`;
  return {
    ...conversion,
    toStorage(object, identifiers) {
      const name = nameOf(identifiers);
      const kept = keptIn(annotationsOf(object)[name], message);
      const stored = toStorage(annotated(object, name, undefined), identifiers);
      const shown = toStorage(fromStorage({ ...stored, ...kept }, identifiers), identifiers);
      const unchanged = partNames.filter((part) => part in kept && samePart(shown[part], stored[part]));
      return { ...stored, ...partsOf(kept, unchanged) };
    },
    fromStorage(stored, identifiers) {
      const shown = fromStorage(stored, identifiers);
      const back = toStorage(shown, identifiers);
      const lost = partNames.filter((part) => !samePart(back[part], stored[part]));
      const text = lost.length > 0 ? encodeJson(partsOf(stored, lost)) : undefined;
      return annotated(shown, nameOf(identifiers), text);
    },
  };
}

function partsOf(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

/**
 * The parts in an annotation, decoded with the types of the message; none if a client wrote an
 * invalid one.
 */
function keptIn(text: string | undefined, message: string): JsonObject {
  if (text === undefined) return {};
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) ? decodedParts(value, message) : {};
  } catch (error) {
    if (error instanceof JsonDecodeError || error instanceof FieldDecodeError) return {};
    throw error;
  }
}

function decodedParts(value: JsonObject, message: string): JsonObject {
  const names = partNames.filter((name) => isJsonObject(value[name]));
  const decoded = decodePart(schemaOf(message), partsOf(value, names));
  return isJsonObject(decoded) ? partsOf(decoded, names) : {};
}

function annotated(object: JsonObject, name: string, text: string | undefined): JsonObject {
  const { [name]: old, ...others } = annotationsOf(object);
  if (old === text) return object;
  const copy = { ...object, metadata: { ...metadataOf(object) } };
  setAnnotations(copy, text === undefined ? others : { ...others, [name]: text });
  return copy;
}

/** Compares parts like Protobuf: an empty value equals a missing field. */
function samePart(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return sameValue(withoutEmpty(left ?? null), withoutEmpty(right ?? null));
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value === '' || value === 0 || value === false ? null : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutEmpty(one)]));
}
