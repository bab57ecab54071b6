import { memoize } from '../../meta/memoize.ts';
import type { Field, ObjectSchema } from '../../scheme/model/schema.ts';
import { findSchema, schemaOf } from '../../scheme/schema-of.ts';

/** Returns the schema of the lists of a kind. Only built-in kinds declare one. */
export function listSchemaOf(schema: ObjectSchema, listKind: string): ObjectSchema {
  const name = `${schema.name.slice(0, schema.name.lastIndexOf('.') + 1)}${listKind}`;
  return findSchema(name) ?? customLists(schema)(name);
}

const customLists = memoize((schema: ObjectSchema) => {
  let list: ObjectSchema | undefined;
  return (name: string): ObjectSchema => (list ??= customList(schema, name));
});

function customList(items: ObjectSchema, name: string): ObjectSchema {
  const field = { inlinePath: [], required: false, alwaysPresent: true, explicit: false };
  const fields: readonly Field[] = [
    { ...field, name: 'metadata', number: 1, schema: schemaOf('api.meta.v1.ListMeta') },
    {
      ...field,
      name: 'items',
      number: 2,
      required: true,
      schema: { type: 'list', items, listType: 'atomic', mapKeys: [], implied: true },
      description: 'The objects of the list.',
    },
  ];
  return {
    type: 'object',
    name,
    fields: new Map(fields.map((one) => [one.name, one])),
    atomic: false,
    preserveUnknown: false,
    description: 'A page of a collection.',
  };
}
