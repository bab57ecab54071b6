import { encodeJson } from '../../codec/encode-json.ts';
import { goType, jsonTypeName } from '../../meta/go-value.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '../../meta/object-meta.ts';
import { sameValue, stringAt } from '../../meta/read-field.ts';
import { validateAnnotations, validateLabels } from '../../registry/definition/validate-metadata.ts';
import { cutText } from '../../status/shown-value.ts';
import { kindText } from './conversion-review.ts';

/** A converted object, or why it is none. */
type CheckedConversion = { readonly object: JsonObject } | { readonly problem: string };

/**
 * Checks an object that a webhook converted. It must stay the same object; of its metadata only
 * labels and annotations may change, and everything else is restored. The problem is worded as by
 * kube-apiserver, and begins with the type of the source.
 */
export function checkConverted(source: JsonObject, converted: JsonValue, apiVersion: string): CheckedConversion {
  const webhook = `conversion webhook for ${kindText(source)}`;
  const kind = stringAt(source, 'kind');
  if (converted === null) return { problem: 'unexpected end of JSON input' };
  if (!isJsonObject(converted)) {
    const found = jsonTypeName(converted);
    return { problem: `json: cannot unmarshal ${found} into Go value of type map[string]interface {}` };
  }
  if (stringAt(converted, 'kind') === '' || !parseApiVersion(stringAt(converted, 'apiVersion'))) {
    return { problem: `Object 'Kind' is missing in '${cutText(encodeJson(converted))}'` };
  }
  const [foundVersion, foundKind] = [stringAt(converted, 'apiVersion'), stringAt(converted, 'kind')];
  const atFirst = `${webhook} returned invalid object at index 0`;
  if (foundVersion !== apiVersion) {
    return { problem: `${atFirst}: invalid groupVersion (expected ${apiVersion}, received ${foundVersion})` };
  }
  if (foundKind !== kind) return { problem: `${atFirst}: invalid kind (expected ${kind}, received ${foundKind})` };
  const difference = identities.find(({ of }) => of(source) !== of(converted));
  if (difference) {
    const { name, of } = difference;
    return {
      problem: `${webhook} returned invalid object: must have the same ${name}: ${of(source)} != ${of(converted)}`,
    };
  }
  const metadata = restoredMetadata(source, converted);
  if (typeof metadata === 'string') return { problem: `${webhook} returned invalid metadata: ${metadata}` };
  return { object: { ...converted, metadata } };
}

const identities: readonly { readonly name: string; readonly of: (object: JsonObject) => string }[] = [
  { name: 'name', of: (object) => textIn(object, nameOf) },
  { name: 'namespace', of: (object) => textIn(object, namespaceOf) },
  { name: 'UID', of: (object) => textIn(object, uidOf) },
];

/** Metadata of another type has no names. */
function textIn(object: JsonObject, read: (object: JsonObject) => string): string {
  return isJsonObject(object['metadata']) ? read(object) : '';
}

/**
 * The metadata of the source with the labels and annotations of the converted object, or a problem.
 */
function restoredMetadata(source: JsonObject, converted: JsonObject): JsonObject | string {
  const given = getOwn(converted, 'metadata');
  if (given === undefined) return 'missing metadata in converted object';
  if (!isJsonObject(given)) return `invalid metadata of type ${goType(given)} in converted object`;
  const { metadata: kept } = source;
  const metadata: JsonObject = isJsonObject(kept) ? { ...kept } : {};
  for (const field of ['labels', 'annotations'] as const) {
    const problem = takeMap(metadata, given, field);
    if (problem !== undefined) return problem;
  }
  return metadata;
}

function takeMap(metadata: JsonObject, given: JsonObject, field: 'labels' | 'annotations'): string | undefined {
  const map = getOwn(given, field) ?? null;
  if (map === null) {
    delete metadata[field];
    return undefined;
  }
  if (!isJsonObject(map)) return `invalid metadata.${field} of type ${goType(map)} in converted object`;
  const wrong = Object.entries(map).find(([, value]) => typeof value !== 'string');
  if (wrong) return `metadata.${field}[${wrong[0]}] must be a string, but is ${goType(wrong[1])} in converted object`;
  if (!sameValue(map, metadata[field])) {
    const object = { metadata: { [field]: map } };
    const errors = field === 'labels' ? validateLabels(object) : validateAnnotations(object, 'metadata.annotation');
    const texts = errors.map((error) => `${error.field}: ${error.message}`);
    if (texts.length > 0) return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  }
  metadata[field] = map;
  return undefined;
}
