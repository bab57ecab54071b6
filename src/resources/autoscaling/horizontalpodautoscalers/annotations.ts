import { decodeJson } from '../../../codec/decode-json.ts';
import { encodeJson } from '../../../codec/encode-json.ts';
import { JsonDecodeError } from '../../../codec/json-decode-error.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';

/** The parts of an autoscaler that older versions keep in annotations. */
type Kept = 'metrics' | 'current-metrics' | 'conditions' | 'behavior';

const all: readonly Kept[] = ['metrics', 'current-metrics', 'conditions', 'behavior'];

function annotationOf(kept: Kept, { labelDomain }: Identifiers): string {
  return `autoscaling.alpha.${labelDomain}/${kept}`;
}

/** Returns a copy with the values in annotations. Empty values are left out. */
export function withKept(
  autoscaler: JsonObject,
  identifiers: Identifiers,
  values: Readonly<Partial<Record<Kept, JsonValue>>>,
): JsonObject {
  const metadata = objectAt(autoscaler, 'metadata');
  const annotations: JsonObject = { ...objectAt(metadata, 'annotations') };
  for (const name of all) {
    const value = values[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    annotations[annotationOf(name, identifiers)] = encodeJson(value);
  }
  return Object.keys(annotations).length === 0 ? autoscaler : { ...autoscaler, metadata: { ...metadata, annotations } };
}

/** The value in an annotation; undefined if it is missing or not JSON. */
export function keptValue(autoscaler: JsonObject, identifiers: Identifiers, kept: Kept): JsonValue | undefined {
  const text = stringAt(objectAt(autoscaler, 'metadata', 'annotations'), annotationOf(kept, identifiers));
  if (text === '') return undefined;
  try {
    return decodeJson(Buffer.from(text), { duplicates: false }).value;
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/** The list in an annotation; empty if it is missing or not a list. */
export function keptList(autoscaler: JsonObject, identifiers: Identifiers, kept: Kept): readonly JsonObject[] {
  const value = keptValue(autoscaler, identifiers, kept);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a copy without these annotations. */
export function withoutKept(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const metadata = objectAt(autoscaler, 'metadata');
  const names = new Set(all.map((kept) => annotationOf(kept, identifiers)));
  const entries = Object.entries(objectAt(metadata, 'annotations'));
  const others = entries.filter(([name]) => !names.has(name));
  if (others.length === entries.length) return autoscaler;
  const { annotations: _, ...rest } = metadata;
  return {
    ...autoscaler,
    metadata: others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) },
  };
}
