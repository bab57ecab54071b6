import { type CelType, listOf, mapOf, types } from './cel-type.ts';

const named: readonly (readonly [name: string, type: CelType])[] = [
  ['bool', types.bool],
  ['bytes', types.bytes],
  ['double', types.double],
  ['duration', types.duration],
  ['google.protobuf.Duration', types.duration],
  ['google.protobuf.Timestamp', types.timestamp],
  ['int', types.int],
  ['list', listOf(types.dyn)],
  ['map', mapOf(types.dyn, types.dyn)],
  ['net.CIDR', { kind: 'opaque', name: 'net.CIDR' }],
  ['net.IP', { kind: 'opaque', name: 'net.IP' }],
  ['null_type', types.null],
  ['optional_type', { kind: 'optional', value: types.dyn }],
  ['string', types.string],
  ['timestamp', types.timestamp],
  ['type', { kind: 'type', of: types.dyn }],
  ['uint', types.uint],
];

/** The types that expressions can name, as types of values: `type(1) == int`. */
export const namedTypes: ReadonlyMap<string, CelType> = new Map(
  named.map(([name, of]) => [name, { kind: 'type', of }] as const),
);

const full: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** The name that the value of a named type has. */
export function typeValueName(name: string): string {
  return full[name] ?? name;
}
