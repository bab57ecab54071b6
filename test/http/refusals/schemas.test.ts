import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation } from './check-refusals.ts';

const atRoot = 'spec.validation.openAPIV3Schema';
const inField = `${atRoot}.properties[spec].properties[a]`;
const field = (schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: schema } } },
});

type SchemaRow = readonly [what: string, schema: JsonObject, errors: readonly string[]];

const rows: readonly SchemaRow[] = [
  [
    'a number or a text whose types are the other way round',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    [
      `${inField}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  ],
  [
    'a number or a text of three types',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'string' }] }),
    [
      `${inField}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[1].type: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[2].type: Forbidden: must be empty to be structural`,
    ],
  ],
  [
    'a number or a text with a least value',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }),
    [
      `${inField}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  ],
  [
    'a number or a text that is restricted twice',
    field({
      'x-kubernetes-int-or-string': true,
      allOf: [
        { anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: 'a' },
        { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ],
    }),
    [
      `${inField}.allOf[1].anyOf[0].type: Forbidden: must be empty to be structural`,
      `${inField}.allOf[1].anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  ],
  [
    'a number or a text with unknown fields',
    field({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
    [
      `${inField}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
    ],
  ],
  [
    'a number or a text that is an object',
    field({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true }),
    [
      `${inField}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${inField}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
      `${inField}.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
    ],
  ],
  [
    'no unknown fields, said in so many words',
    field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
    [`${inField}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
  ],
  [
    'an object inside that is a text',
    field({ type: 'string', 'x-kubernetes-embedded-resource': true }),
    [
      `${inField}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${inField}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
    ],
  ],
  [
    'an object inside without a type',
    field({ 'x-kubernetes-embedded-resource': true }),
    [
      `${inField}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${inField}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
    ],
  ],
  [
    'an object inside without fields',
    field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    [
      `${inField}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
    ],
  ],
  [
    'an object inside with fields of any name',
    field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      additionalProperties: { type: 'string' },
    }),
    [`${inField}.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set`],
  ],
  [
    'an object inside whose metadata are a text',
    field({ type: 'object', 'x-kubernetes-embedded-resource': true, properties: { metadata: { type: 'string' } } }),
    [`${inField}.properties[metadata].type: Invalid value: "string": must be object`],
  ],
  [
    'an object inside its metadata',
    {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: {
            name: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: { type: 'string' } } },
          },
        },
      },
    },
    [
      `${atRoot}.properties[metadata].properties[name].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta`,
    ],
  ],
  [
    'metadata that must not be many',
    {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          maxProperties: 3,
          required: ['name'],
          properties: { name: { type: 'string', pattern: 'a' } },
        },
      },
    },
    [
      `${atRoot}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  ],
  [
    'a restriction of metadata',
    { type: 'object', anyOf: [{ properties: { metadata: { properties: { name: { pattern: '^a' } } } } }] },
    [
      `${atRoot}.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context`,
      `${atRoot}.properties[metadata]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[metadata]`,
    ],
  ],
  [
    'restrictions of everything',
    field({
      type: 'object',
      anyOf: [
        { 'x-kubernetes-preserve-unknown-fields': true },
        { 'x-kubernetes-int-or-string': true },
        { 'x-kubernetes-embedded-resource': true },
        { 'x-kubernetes-map-type': 'atomic' },
        { 'x-kubernetes-list-type': 'set' },
        { 'x-kubernetes-list-map-keys': ['a'] },
        { 'x-kubernetes-preserve-unknown-fields': false },
      ],
    }),
    [
      `${inField}.anyOf[3].type: Required value: must be object if x-kubernetes-map-type is specified`,
      `${inField}.anyOf[4].type: Required value: must be array if x-kubernetes-list-type is specified`,
      `${inField}.anyOf[5].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
      `${inField}.anyOf[6].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
  ],
  [
    'a map of texts',
    field({
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    [`${inField}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`],
  ],
  [
    'a map of nothing',
    field({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    [
      `${inField}.items: Required value: must have a schema if x-kubernetes-list-type is map`,
      `${inField}.items: Required value: must be specified`,
    ],
  ],
  [
    'an unknown key',
    field({
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['z'],
    }),
    [`${inField}.x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties`],
  ],
  [
    'a key that may be missing',
    field({
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    [
      `${inField}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  ],
  [
    'items and keys that may be null',
    field({
      type: 'array',
      items: { type: 'object', nullable: true, properties: { k: { type: 'string', nullable: true } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    [
      `${inField}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
      `${inField}.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
    ],
  ],
  [
    'an object as a key',
    field({
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'object' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    [
      `${inField}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
    ],
  ],
  [
    'a key twice',
    field({
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k'],
    }),
    [`${inField}.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries`],
  ],
  [
    'a set of objects',
    field({
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } } },
      'x-kubernetes-list-type': 'set',
    }),
    [
      `${inField}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
  ],
  [
    'a set of atomic objects',
    field({
      type: 'array',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    }),
    [],
  ],
  [
    'a set of nulls',
    field({ type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' }),
    [`${inField}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`],
  ],
  [
    'an unknown type of map',
    field({ type: 'object', 'x-kubernetes-map-type': 'zork' }),
    [`${inField}.x-kubernetes-map-type: Unsupported value: "zork": supported values: "atomic", "granular"`],
  ],
  [
    'a list that is a map',
    field({ type: 'array', items: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' }),
    [`${inField}.type: Invalid value: "array": must be object if x-kubernetes-map-type is specified`],
  ],
  [
    'a map without a type',
    field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' }),
    [`${inField}.type: Required value: must be object if x-kubernetes-map-type is specified`],
  ],
  [
    'a default of another type',
    field({ type: 'integer', default: 'x' }),
    [`${inField}.default: Invalid value: "string":  in body must be of type integer: "string"`],
  ],
  [
    'a default with an unknown field',
    field({ type: 'object', properties: { b: { type: 'string' } }, default: { c: 'x' } }),
    [`${inField}.default: Invalid value: {"c":"x"}: must not have unknown fields`],
  ],
  [
    'a default with a field of another type',
    field({ type: 'object', additionalProperties: { type: 'string' }, default: { c: 1 } }),
    [`${inField}.default.c: Invalid value: "integer": .c in body must be of type string: "integer"`],
  ],
  [
    'a default that is not allowed',
    field({ type: 'string', enum: ['a', 'b'], default: 'c' }),
    [`${inField}.default: Unsupported value: "c": supported values: "a", "b"`],
  ],
  [
    'a default in its metadata',
    {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
    },
    [`${atRoot}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`],
  ],
  [
    'a default of the whole object',
    { type: 'object', default: {} },
    [
      `${atRoot}.default.apiVersion: Required value: must not be empty`,
      `${atRoot}.default.kind: Required value: must not be empty`,
    ],
  ],
  [
    'a default that is too small',
    field({ type: 'integer', minimum: 5, maximum: 8, multipleOf: 2, default: 3 }),
    [
      `${inField}.default: Invalid value: 3:  in body should be a multiple of 2`,
      `${inField}.default: Invalid value: 3:  in body should be greater than or equal to 5`,
    ],
  ],
  [
    'a default that is just too small',
    field({ type: 'integer', minimum: 5, exclusiveMinimum: true, default: 5 }),
    [`${inField}.default: Invalid value: 5:  in body should be greater than 5`],
  ],
  [
    'a default that is not whole',
    field({ type: 'integer', default: 3.5 }),
    [
      `${inField}.default: Invalid value: "": Checked value must be of type integer (default format) in `,
      `${inField}.default: Invalid value: "number":  in body must be of type integer: "number"`,
    ],
  ],
  [
    'a default that is too short',
    field({ type: 'string', minLength: 3, default: 'a' }),
    [`${inField}.default: Invalid value: "a":  in body should be at least 3 chars long`],
  ],
  [
    'a default without a field',
    field({ type: 'object', properties: { b: { type: 'string' } }, required: ['b'], default: {} }),
    [`${inField}.default.b: Required value`],
  ],
  [
    'a default that is wrong inside',
    field({
      type: 'object',
      properties: { b: { type: 'object', properties: { c: { type: 'integer' } } } },
      default: { b: { c: 'x' } },
    }),
    [`${inField}.default.b.c: Invalid value: "string": b.c in body must be of type integer: "string"`],
  ],
  [
    'a default with too few items',
    field({ type: 'array', items: { type: 'integer' }, minItems: 2, default: ['x'] }),
    [
      `${inField}.default.[0]: Invalid value: "string": [0] in body must be of type integer: "string"`,
      `${inField}.default: Invalid value: 1:  in body should have at least 2 items`,
    ],
  ],
  [
    'a default with too many items',
    field({ type: 'array', items: { type: 'integer' }, maxItems: 1, default: [1, 2] }),
    [`${inField}.default: Too many: 2: must have at most 1 items`],
  ],
  [
    'a default with too few fields',
    field({
      type: 'object',
      properties: {},
      minProperties: 1,
      'x-kubernetes-preserve-unknown-fields': true,
      default: {},
    }),
    [`${inField}.default: Invalid value: 0:  in body should have at least 1 properties`],
  ],
  [
    'a default that no alternative allows',
    field({ type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 2 }], default: 3 }),
    [
      `${inField}.default: Invalid value: "": "" must validate at least one schema (anyOf)`,
      `${inField}.default: Invalid value: 3:  in body should be greater than or equal to 5`,
    ],
  ],
  [
    'a default that a restriction forbids',
    field({ type: 'integer', allOf: [{ minimum: 5 }, { maximum: 2 }], default: 3 }),
    [
      `${inField}.default: Invalid value: 3:  in body should be greater than or equal to 5`,
      `${inField}.default: Invalid value: 3:  in body should be less than or equal to 2`,
      `${inField}.default: Invalid value: "": "" must validate all the schemas (allOf). None validated`,
    ],
  ],
  [
    'a default that two alternatives allow',
    field({ type: 'integer', oneOf: [{ minimum: 1 }, { maximum: 4 }], default: 3 }),
    [
      `${inField}.default: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives`,
    ],
  ],
  [
    'a default that is excluded',
    field({ type: 'integer', not: { minimum: 1 }, default: 3 }),
    [`${inField}.default: Invalid value: "": "" must not validate the schema (not)`],
  ],
  [
    'a default of additional fields',
    field({ type: 'object', additionalProperties: { type: 'integer', default: 'a' } }),
    [],
  ],
  ['a default of null', field({ type: 'string', default: null }), []],
  [
    'a default object that does not say what it is',
    field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { kind: 'A' },
    }),
    [`${inField}.default.apiVersion: Required value: must not be empty`],
  ],
  [
    'a pattern with an open group',
    field({ type: 'string', pattern: '(' }),
    [
      `${inField}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
  ],
  [
    'a pattern that looks ahead',
    field({ type: 'string', pattern: '(?=a)' }),
    [
      `${inField}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
    ],
  ],
  [
    'a pattern with an open class',
    field({ type: 'object', anyOf: [{ properties: {} }], additionalProperties: { type: 'string', pattern: '[' } }),
    [
      `${inField}.additionalProperties.pattern: Invalid value: "[": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: \`[\``,
    ],
  ],
  [
    'parts that are not supported, and what is wrong in them',
    field({
      type: 'array',
      items: [{ type: 'string', uniqueItems: true }],
      definitions: { a: { type: 'null' } },
      dependencies: { a: { type: 'string', uniqueItems: true }, b: ['c'] },
    }),
    [
      `${inField}.definitions: Forbidden: definitions is not supported`,
      `${inField}.dependencies: Forbidden: dependencies is not supported`,
      `${inField}.items: Forbidden: items must be a schema object and not an array`,
      `${inField}.items[0].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      `${inField}.definitions[a].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${inField}.definitions[a].type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      `${inField}.dependencies[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
  ],
  [
    'a reference to nothing',
    field({ $ref: '', type: 'string' }),
    [`${inField}.$ref: Forbidden: $ref is not supported`],
  ],
  [
    'the type of null',
    field({ type: 'null' }),
    [
      `${inField}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${inField}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
    ],
  ],
  [
    'a dialect',
    { $schema: 'x', type: 'object' },
    [`${atRoot}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
  ],
  [
    'a restriction with an id',
    field({ type: 'string', oneOf: [{ id: 'a' }, { uniqueItems: true }, { type: 'zork' }] }),
    [
      `${inField}.oneOf[0].id: Forbidden: id is not supported`,
      `${inField}.oneOf[1].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      `${inField}.oneOf[2].type: Unsupported value: "zork": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  ],
  [
    'a restriction that says too much',
    field({ type: 'string', anyOf: [{ title: 'a', description: 'b', type: 'string', default: 1, nullable: true }] }),
    [
      `${inField}.anyOf[0].default: Forbidden: must be undefined to be structural`,
      `${inField}.anyOf[0].description: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[0].nullable: Forbidden: must be false to be structural`,
      `${inField}.anyOf[0].title: Forbidden: must be empty to be structural`,
      `${inField}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
  ],
];

const creations = rows.map(([what, openAPIV3Schema, errors]): Creation => {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  return ['customresourcedefinitions', what, { spec: { versions } }, errors];
});

checkRefusals('schemas of custom resources', creations);
