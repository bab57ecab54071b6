import type { JsonObject } from '../../src/meta/json-value.ts';

/** What a custom kind of the bench is like. */
export interface CustomKindShape {
  readonly group: string;
  readonly plural: string;
  readonly versions: number;
  /** The bytes of the schema of each version, more or less. */
  readonly schemaBytes: number;
  /** Rules that are expressions, over the spec of an object. */
  readonly rules?: readonly string[];
}

/** A CustomResourceDefinition of an operator's size, as a client sends it. */
export function customDefinition({ group, plural, versions, schemaBytes, rules }: CustomKindShape): JsonObject {
  return {
    apiVersion: 'apiextensions.cl.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: namesOf(plural),
      conversion: { strategy: 'None' },
      versions: Array.from({ length: versions }, (_, index) =>
        versionOf(index + 1, versions, schemaOf(index + 1, schemaBytes, rules)),
      ),
    },
  };
}

/** The same as a server stores it, with accepted names. */
export function storedDefinition(shape: CustomKindShape): JsonObject {
  const { group, plural, versions } = shape;
  const definition = customDefinition(shape);
  const since = '2026-01-01T00:00:00Z';
  const condition = { status: 'True', lastTransitionTime: since, message: 'no conflicts found' };
  return {
    ...definition,
    metadata: {
      name: `${plural}.${group}`,
      uid: crypto.randomUUID(),
      generation: 1,
      creationTimestamp: since,
    },
    status: {
      conditions: [
        { type: 'NamesAccepted', ...condition, reason: 'NoConflicts' },
        {
          type: 'Established',
          ...condition,
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
      acceptedNames: namesOf(plural),
      storedVersions: [`v${versions}`],
    },
  };
}

/** An object of such a kind, as large as the ConfigMaps of the bench. */
export function customObject({ group, plural, versions }: CustomKindShape, name: string, text = 'x'): string {
  return JSON.stringify({
    apiVersion: `${group}/v${versions}`,
    kind: namesOf(plural)['kind'],
    metadata: { name, labels: { app: 'bench' } },
    spec: { text: text.repeat(Math.ceil(430 / text.length)), part0: { replicas: 3, policy: 'Always' } },
  });
}

/** The collection of such a kind in a namespace. */
export function customObjectsPath({ group, plural, versions }: CustomKindShape, namespace: string): string {
  return `/apis/${group}/v${versions}/namespaces/${namespace}/${plural}`;
}

function namesOf(plural: string): JsonObject {
  const singular = plural.slice(0, -1);
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  return { plural, singular, kind, listKind: `${kind}List` };
}

function versionOf(number: number, versions: number, schema: JsonObject): JsonObject {
  return {
    name: `v${number}`,
    served: true,
    storage: number === versions,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {} },
  };
}

/** A schema of parts that are like those of operators: texts that explain, enumerations, patterns, lists by keys. */
function schemaOf(number: number, bytes: number, rules: readonly string[] = []): JsonObject {
  const parts: Record<string, JsonObject> = {};
  for (let index = 0; JSON.stringify(parts).length < bytes; index++) parts[`part${index}`] = partOf(number, index);
  return {
    type: 'object',
    description: `A kind of the bench in its version ${number}.`,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: { text: { type: 'string', maxLength: 100_000 }, ...parts },
        ...(rules.length > 0 ? { 'x-cluster-validations': rules.map((rule) => ({ rule })) } : {}),
      },
      status: { type: 'object', properties: { ready: { type: 'integer' }, phase: { type: 'string' } } },
    },
  };
}

function partOf(number: number, index: number): JsonObject {
  return {
    type: 'object',
    description: `Settings of part ${index}. They apply from version ${number} on, to each of the places that it names, and may be changed later.`,
    properties: {
      replicas: { type: 'integer', format: 'int32', minimum: 0, description: 'The number of them that should run.' },
      policy: { type: 'string', enum: ['Always', 'Never', 'OnFailure'] },
      timeout: { type: 'string', pattern: '^([0-9]+h)?([0-9]+m)?([0-9]+s)?$', maxLength: 20 },
      selector: {
        type: 'object',
        properties: {
          matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
          matchExpressions: {
            type: 'array',
            items: {
              type: 'object',
              required: ['key', 'operator'],
              properties: {
                key: { type: 'string', description: 'The label that is looked at.' },
                operator: { type: 'string' },
                values: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        },
      },
      ports: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1 },
            port: { type: 'integer', minimum: 1, maximum: 65_535 },
            target: { 'x-cluster-int-or-string': true },
          },
        },
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
      },
    },
  };
}
