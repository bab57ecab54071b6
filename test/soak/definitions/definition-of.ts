import type { JsonObject } from '../../../src/meta/json-value.ts';

const fields = 40;

/** Patterns, objects, lists and plain texts with descriptions: some 9 KB, as definitions of projects have. */
function fieldsOf(kind: number): JsonObject {
  const make = [
    (field: number): JsonObject => ({
      type: 'string',
      pattern: `^[a-z${field}]{1,${10 + field}}-${kind % 7}$`,
      description: `The field ${field} of kind ${kind}: ${'words '.repeat(10)}`,
    }),
    (): JsonObject => ({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string', default: 'x' } },
    }),
    (): JsonObject => ({ type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } }),
    (): JsonObject => ({ type: 'string' }),
  ];
  const named = Array.from({ length: fields }, (_, field) => [`field${field}`, make[field % make.length]?.(field)]);
  return Object.fromEntries(named) as JsonObject;
}

/** The resource of a kind. */
export function resourceOf(kind: number): string {
  return `kind${kind}s`;
}

/** A definition with what a server compiles: patterns, defaults, a rule, columns, a sub-resource. */
export function definitionOf(group: string, kind: number): JsonObject {
  const plural = resourceOf(kind);
  const rule = '!has(self.field3) || self.field3.size() < 100';
  const spec = { type: 'object', properties: fieldsOf(kind), 'x-cluster-validations': [{ rule }] };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: 'f', type: 'string', jsonPath: '.spec.field0' }],
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind: `Kind${kind}` }, versions: [version] },
  };
}

/** An object of a kind. */
export function objectOf(group: string, kind: number, name: string): JsonObject {
  const spec = { field1: {}, field3: 'x' };
  return { apiVersion: `${group}/v1`, kind: `Kind${kind}`, metadata: { name }, spec };
}
