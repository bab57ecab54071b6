import { allVerbs, type ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';

/** What of a kind a test wants to be otherwise. */
type Overrides = Partial<Pick<ResourceDefinition, 'strategy' | 'namespaced' | 'shortNames'>>;

/** A kind of objects with anything in their `spec`, as a custom definition could make it at run time. */
export function customKind(group: string, resource: string, overrides: Overrides = {}): ResourceDefinition {
  const kind = `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
  const schema = (): ObjectSchema => customSchema(`${group}.v1.${kind}`);
  return {
    group,
    shortGroup: group,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    versions: [{ version: 'v1', schema, verbs: allVerbs, subresources: [] }],
    storage: { group, shortGroup: group, version: 'v1', resource, kind, schema },
    strategy: {},
    ...overrides,
  };
}

const schemas = new Map<string, ObjectSchema>();

function customSchema(name: string): ObjectSchema {
  let schema = schemas.get(name);
  if (!schema) {
    const { fields } = schemaOf('api.core.v1.ConfigMap');
    const kept = new Map([...fields].filter(([field]) => ['apiVersion', 'kind', 'metadata'].includes(field)));
    schema = { type: 'object', name, atomic: false, preserveUnknown: true, fields: kept };
    schemas.set(name, schema);
  }
  return schema;
}
