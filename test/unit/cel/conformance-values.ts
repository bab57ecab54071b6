import type { Type } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { Type_PrimitiveType, Type_WellKnownType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { type Any, anyUnpack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { type CelType, listOf, mapOf, types } from '../../../src/cel/types/cel-type.ts';
import { typeValueName } from '../../../src/cel/types/named-types.ts';
import {
  CelList,
  CelMap,
  type CelValue,
  Duration,
  itemsOf,
  keyIdentity,
  listFrom,
  mapFrom,
  Optional,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../../../src/cel/values/cel-value.ts';
import { valueIdentity } from '../../../src/cel/values/equality.ts';
import { meterFor } from '../../../src/cel/values/work-meter.ts';

const meter = meterFor(Infinity);

const primitives: Readonly<Partial<Record<Type_PrimitiveType, CelType>>> = {
  [Type_PrimitiveType.BOOL]: types.bool,
  [Type_PrimitiveType.INT64]: types.int,
  [Type_PrimitiveType.UINT64]: types.uint,
  [Type_PrimitiveType.DOUBLE]: types.double,
  [Type_PrimitiveType.STRING]: types.string,
  [Type_PrimitiveType.BYTES]: types.bytes,
};

/** A type of a case; undefined for messages, which rules do not have. */
export function typeOfCase({ typeKind: { case: kind, value } }: Type): CelType | undefined {
  if (kind === 'primitive') return primitives[value];
  if (kind === 'dyn') return types.dyn;
  if (kind === 'null') return types.null;
  if (kind === 'wellKnown') return value === Type_WellKnownType.TIMESTAMP ? types.timestamp : types.duration;
  if (kind === 'listType') {
    const element = value.elemType && typeOfCase(value.elemType);
    return element && listOf(element);
  }
  if (kind === 'mapType') {
    const [key, item] = [value.keyType, value.valueType].map((type) => type && typeOfCase(type));
    return key && item && mapOf(key, item);
  }
  if (kind === 'abstractType' && value.name === 'optional_type') {
    const [parameter] = value.parameterTypes;
    const inner = parameter && typeOfCase(parameter);
    return inner && { kind: 'optional', value: inner };
  }
  if (kind === 'type') return { kind: 'type', of: typeOfCase(value) ?? types.dyn };
  return undefined;
}

/** A value of a case; undefined for messages. */
export function valueOfCase({ kind: { case: kind, value } }: Value): CelValue | undefined {
  if (kind === undefined || kind === 'enumValue') return undefined;
  if (kind === 'nullValue') return null;
  if (kind === 'uint64Value') return new Uint(value);
  if (kind === 'mapValue') return mapOfCase(value.entries);
  if (kind === 'typeValue') return new TypeValue(typeValueName(value));
  if (kind === 'objectValue') return timeOfCase(value);
  if (kind !== 'listValue') return value;
  const items = value.values.map(valueOfCase);
  return items.includes(undefined) ? undefined : listFrom(items.filter((item) => item !== undefined));
}

function timeOfCase(value: Any): CelValue | undefined {
  const time = anyUnpack(value, TimestampSchema);
  if (time) return new Timestamp(time.seconds * 1_000_000_000n + BigInt(time.nanos));
  const duration = anyUnpack(value, DurationSchema);
  return duration && new Duration(duration.seconds * 1_000_000_000n + BigInt(duration.nanos));
}

function mapOfCase(entries: readonly { key?: Value; value?: Value }[]): CelValue | undefined {
  const made = new Map<string, readonly [CelValue, CelValue]>();
  for (const { key, value } of entries) {
    const [name, item] = [key && valueOfCase(key), value && valueOfCase(value)];
    if (name === undefined || item === undefined) return undefined;
    made.set(keyIdentity(name) ?? '', [name, item]);
  }
  return mapFrom(made);
}

/** A value as text, different for values of different types. */
export function showValue(value: CelValue): string {
  if (value instanceof CelList) return `[${itemsOf(meter, value).map(showValue).join()}]`;
  if (value instanceof CelMap) {
    const entries = value.keys(meter).map((key) => `${showValue(key)}:${showValue(value.get(key) ?? null)}`);
    return `{${entries.toSorted().join()}}`;
  }
  if (value instanceof Optional) return `optional(${value.value === undefined ? '' : showValue(value.value)})`;
  if (value === 0) return 'double 0';
  return `${typeNameOf(value)} ${identityOfScalar(value)}`;
}

function identityOfScalar(value: CelValue): string {
  return typeof value === 'number' || value === null ? String(value) : valueIdentity(meter, value);
}
