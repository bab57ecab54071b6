import { decodeJson } from '../../../codec/decode-json.ts';
import { encodeJson } from '../../../codec/encode-json.ts';
import { JsonDecodeError } from '../../../codec/json-decode-error.ts';
import type { ObjectMeta } from '../../../gen/stored/meta-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';

/** The parts of an autoscaler that older versions keep in annotations. */
type Kept = 'metrics' | 'current-metrics' | 'conditions' | 'behavior';

const all: readonly Kept[] = ['metrics', 'current-metrics', 'conditions', 'behavior'];

type Annotated = { readonly metadata: ObjectMeta };

function annotationOf(kept: Kept, { labelDomain }: Identifiers): string {
  return `autoscaling.alpha.${labelDomain}/${kept}`;
}

/** The metadata with values in annotations. Empty and missing values are left out. */
export function metadataWith(
  { metadata }: Annotated,
  identifiers: Identifiers,
  values: Readonly<Partial<Record<Kept, JsonValue | undefined>>>,
): ObjectMeta {
  const annotations = { ...metadata.annotations };
  for (const name of all) {
    const value = values[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    annotations[annotationOf(name, identifiers)] = encodeJson(value);
  }
  return Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
}

/** The value in an annotation; undefined if it is missing or not JSON. */
export function keptValue({ metadata }: Annotated, identifiers: Identifiers, kept: Kept): JsonValue | undefined {
  const text = getOwn(metadata.annotations ?? {}, annotationOf(kept, identifiers));
  if (!text) return undefined;
  try {
    return decodeJson(Buffer.from(text), { duplicates: false }).value;
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/** The list in an annotation; empty if it is missing or not a list. */
export function keptList(autoscaler: Annotated, identifiers: Identifiers, kept: Kept): readonly JsonObject[] {
  const value = keptValue(autoscaler, identifiers, kept);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The metadata without these annotations. */
export function metadataWithout({ metadata }: Annotated, identifiers: Identifiers): ObjectMeta {
  const { annotations = {}, ...rest } = metadata;
  const names = new Set(all.map((kept) => annotationOf(kept, identifiers)));
  const others = Object.entries(annotations).filter(([name]) => !names.has(name));
  return others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) };
}
