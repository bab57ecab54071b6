import type { JsonObject, JsonValue } from '../../../../src/meta/json-value.ts';

/** The words in which the schemas of the operators are written. */
type Schema = JsonObject;

export const boolean: Schema = { type: 'boolean' };

export function text(rest: Schema = {}): Schema {
  return { type: 'string', ...rest };
}

export function oneOfTexts(...values: readonly string[]): Schema {
  return text({ enum: [...values] });
}

export function whole(rest: Schema = {}): Schema {
  return { type: 'integer', ...rest };
}

export function list(items: Schema, rest: Schema = {}): Schema {
  return { type: 'array', items, ...rest };
}

export function atomic(items: Schema, rest: Schema = {}): Schema {
  return list(items, { 'x-kubernetes-list-type': 'atomic', ...rest });
}

/** A list whose items are known by these fields. */
export function keyed(keys: readonly string[], items: Schema, rest: Schema = {}): Schema {
  return list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys], ...rest });
}

export function texts(rest: Schema = {}): Schema {
  return { type: 'object', additionalProperties: text(), ...rest };
}

export function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  rest: Schema = {},
): Schema {
  return {
    type: 'object',
    properties: { ...properties },
    ...(required.length > 0 ? { required: [...required] } : {}),
    ...rest,
  };
}

/** An amount, as resources have them. */
export const quantity: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
  'x-kubernetes-int-or-string': true,
};

/** Selects a key of a Secret or a ConfigMap. */
export const keySelector: Schema = object({ key: text(), name: text({ default: '' }), optional: boolean }, ['key'], {
  'x-kubernetes-map-type': 'atomic',
});

export const labelSelector: Schema = object(
  {
    matchExpressions: atomic(object({ key: text(), operator: text(), values: atomic(text()) }, ['key', 'operator'])),
    matchLabels: texts(),
  },
  [],
  { 'x-kubernetes-map-type': 'atomic' },
);

const conditionFields = {
  lastTransitionTime: text({ format: 'date-time' }),
  message: text({ maxLength: 32_768 }),
  observedGeneration: whole({ format: 'int64', minimum: 0 }),
  reason: text({ maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  status: oneOfTexts('True', 'False', 'Unknown'),
  type: text({ maxLength: 316 }),
};

/** The conditions of a status, one of each type. */
export function conditions(...required: readonly string[]): Schema {
  return keyed(['type'], object(conditionFields, [...required, 'status', 'type']));
}

/** Rules in CEL: what holds, and the message if it does not. */
export function rules(...declared: readonly (readonly [rule: string, message: string])[]): Schema {
  return { 'x-kubernetes-validations': declared.map(([rule, message]) => ({ rule, message })) };
}

/** A column of a Table. */
export function column(name: string, jsonPath: string, rest: Schema = {}): Schema {
  return { name, jsonPath, type: 'string', ...rest };
}

export const ageColumn: Schema = column('Age', '.metadata.creationTimestamp', { type: 'date' });

/** An operator's kind: its definition, an object of it, and what is made of that. */
export interface OperatorKind {
  readonly definition: JsonObject;
  /** The object as a client sends it. */
  readonly sample: JsonObject;
  /** Its status, as the operator writes it. */
  readonly status?: JsonObject;
  /** What defaults add to the spec: values by their paths. */
  readonly defaults: Readonly<Record<string, JsonValue>>;
  /** The cells of its row, by the names of columns; those of times are left out. */
  readonly cells: Readonly<Record<string, JsonValue>>;
  /** A change of the spec, and the errors that it leads to. */
  readonly refused: readonly Refusal[];
  /** The same of an update of the object. */
  readonly kept?: readonly Refusal[];
}

type Refusal = readonly [title: string, path: string, value: JsonValue, errors: readonly string[]];

/** The parts of a definition that differ between kinds. */
interface DefinitionParts {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly columns?: readonly Schema[];
  readonly subresources?: JsonObject;
  readonly spec: Schema;
  readonly status?: Schema;
}

/** A definition with one version. */
export function definitionOf(parts: DefinitionParts): JsonObject {
  const { group, kind, plural, scope = 'Namespaced', version = 'v1', columns, subresources } = parts;
  const identity = { apiVersion: text(), kind: text(), metadata: { type: 'object' } };
  const schema = object({ ...identity, spec: parts.spec, ...(parts.status ? { status: parts.status } : {}) }, ['spec']);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations: { ...parts.annotations } },
    spec: {
      group,
      scope,
      names: {
        plural,
        kind,
        listKind: `${kind}List`,
        singular: kind.toLowerCase(),
        shortNames: [...(parts.shortNames ?? [])],
        categories: [...(parts.categories ?? [])],
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(columns ? { additionalPrinterColumns: [...columns] } : {}),
          ...(subresources ? { subresources } : {}),
        },
      ],
    },
  };
}
