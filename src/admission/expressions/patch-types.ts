import { once } from '../../meta/memoize.ts';
import { type CelType, type ObjectType, types } from '../../cel/types/cel-type.ts';

const jsonPatchType = once((): ObjectType => {
  const fields = [
    ['op', types.string],
    ['from', types.string],
    ['path', types.string],
    ['value', types.dyn],
  ] satisfies readonly (readonly [name: string, type: CelType])[];
  return { kind: 'object', name: 'JSONPatch', fields: new Map(fields.map(([name, type]) => [name, { name, type }])) };
});

/**
 * The messages that mutations make: `JSONPatch`, and `Object` with the types of its fields, such as
 * `Object.spec.template`, whose fields may have any names and values.
 */
export function messageType(name: string): ObjectType | undefined {
  if (name === 'JSONPatch') return jsonPatchType();
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, fields: new Map(), otherFields: types.dyn };
}
