import type { JsonValue } from '../meta/json-value.ts';
import type { ListSchema, MapSchema, ScalarSchema } from './model/schema.ts';

/** The serialized form of an absent value in a field that is always written: Go's zero value. */
const emptyValues: Readonly<Record<(ScalarSchema | ListSchema | MapSchema)['type'], JsonValue>> = Object.freeze({
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  double: 0,
  bytes: null,
  time: null,
  microTime: null,
  duration: '0s',
  quantity: '0',
  intOrString: 0,
  any: null,
  fieldsV1: null,
  list: null,
  map: null,
});

/** The empty value of any type but an object. */
export function emptyValue(schema: ScalarSchema | ListSchema | MapSchema): JsonValue {
  return emptyValues[schema.type];
}
