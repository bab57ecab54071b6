import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  itemsOf,
  Opaque,
  Optional,
  TypeValue,
  typeNameOf,
  Uint,
} from '../../../cel/values/cel-value.ts';
import { toJson } from '../../../cel/values/from-json.ts';
import { spend, visitWork, type WorkMeter } from '../../../cel/values/work-meter.ts';
import { authorizationTypes } from '../../../identifiers/expression-types.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../../meta/json-value.ts';
import { MutationError } from './mutation-error.ts';
import { objectFields, textOfOther } from './object-fields.ts';

/** Converts the value of a patch operation to JSON. Throws `MutationError` if it is not JSON. */
export function patchValue(value: CelValue, meter: WorkMeter): JsonValue {
  spend(meter, visitWork);
  const partOf = (part: CelValue | undefined): JsonValue => patchValue(part ?? null, meter);
  if (value instanceof Optional) return partOf(value.value);
  if (value instanceof CelObject) return objectValue(value, meter);
  if (value instanceof CelList) return itemsOf(meter, value).map(partOf);
  if (value instanceof CelMap) {
    const object: JsonObject = {};
    for (const key of value.keys(meter)) setOwn(object, keyText(key), partOf(value.get(key)));
    return object;
  }
  if (value instanceof TypeValue) throw noJson("type conversion not supported for 'type'");
  if (value instanceof Opaque) throw noJson(`type conversion error from '${shortType(value)}' to '*structpb.Value'`);
  return toJson(meter, value, textOfOther);
}

/**
 * Converts an object. In a patch its bytes and numbers are JSON, other values of `nonJson` are not.
 */
function objectValue(object: CelObject, meter: WorkMeter): JsonObject {
  const { fields, nonJson } = objectFields(object, meter);
  const wrong = nonJson.find(({ value }) => !(value instanceof Uint || value instanceof Uint8Array));
  if (wrong) throw noJson(`proto: invalid type: ${typeNameOf(wrong.value)}`);
  return fields;
}

function keyText(key: CelValue): string {
  if (typeof key === 'string') return key;
  const type = typeNameOf(key);
  throw noJson(
    type === 'bool'
      ? "type conversion error from bool to 'string'"
      : `unsupported type conversion from '${type}' to string`,
  );
}

/** The name of a library type in errors, without the library. */
function shortType({ type }: Opaque): string {
  return type.startsWith(authorizationTypes) ? type : type.slice(type.lastIndexOf('.') + 1);
}

function noJson(why: string): MutationError {
  return new MutationError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${why}`);
}
