import type { CelType } from '../types/cel-type.ts';
import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../values/cel-value.ts';

/** Makes the test whether a value has a type. Of a list only the first item is looked at. */
export function acceptorOf(type: CelType): (value: CelValue) => boolean {
  if (type.kind === 'list') {
    const acceptsItem = acceptorOf(type.element);
    return (value) => value instanceof CelList && (value.size === 0 || acceptsItem(value.at(0)));
  }
  if (type.kind === 'opaque') return (value) => value instanceof Opaque && value.type === type.name;
  return acceptors[type.kind];
}

function always(): boolean {
  return true;
}

const acceptors: Readonly<Record<Exclude<CelType['kind'], 'list' | 'opaque'>, (value: CelValue) => boolean>> = {
  dyn: always,
  error: always,
  variable: always,
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  uint: (value) => value instanceof Uint,
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  null: (value) => value === null,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  map: (value) => value instanceof CelMap,
  object: (value) => value instanceof CelObject,
  optional: (value) => value instanceof Optional,
  type: (value) => value instanceof TypeValue,
};
