import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const [v1, v1beta1] = ['customresourcedefinitions', 'customresourcedefinitions@apiextensions.k8s.io/v1beta1'];
const version = (change: JsonObject): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...change,
});
const versions = (...list: JsonObject[]): JsonObject => ({ spec: { versions: list } });
const unnamed = (change: JsonObject): JsonObject => ({
  spec: { version: null, versions: null, ...change },
});
const oneStored = 'must have exactly one version marked as storage version';
const sameColumns =
  'per-version additionalPrinterColumns may not all be set to identical values (top-level additionalPrinterColumns should be used instead)';
const noneKept = 'status.storedVersions: Invalid value: []: must have at least one stored version';
const warning = 'spec.versions[0].deprecationWarning';

const served: JsonObject = { name: 'v1', served: true };
const columns: JsonObject[] = [{ name: 'A', type: 'string', JSONPath: 'a' }];
const typeless: JsonObject = { openAPIV3Schema: {} };
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const creations: readonly Creation[] = [
  [
    v1,
    'no dependencies in a list of them',
    versions(version({ schema: { openAPIV3Schema: { type: 'object', dependencies: {} } } })),
    ['spec.validation.openAPIV3Schema.dependencies: Forbidden: dependencies is not supported'],
  ],
  [
    v1,
    'a webhook without content',
    { spec: { conversion: { strategy: 'None', webhook: { conversionReviewVersions: [] } } } },
    [],
  ],
  [v1, 'no versions', { spec: { versions: [] } }, [`spec.versions: Invalid value: []: ${oneStored}`, noneKept]],
  [v1beta1, 'no version', unnamed({}), [`spec.versions: Invalid value: []: ${oneStored}`, noneKept]],
  [
    v1,
    'a warning of a version that stays',
    versions(version({ deprecationWarning: 'x' })),
    [`${warning}: Invalid value: "x": can only be set for deprecated versions`],
  ],
  [
    v1,
    'a warning without a word',
    versions(version({ deprecated: true, deprecationWarning: '' })),
    [`${warning}: Invalid value: "": must not be an empty string`],
  ],
  [
    v1beta1,
    'another version at the top than the first',
    { spec: { version: 'v2', versions: [{ name: 'v1', served: true, storage: true }] } },
    ['spec.version: Invalid value: "v2": must match the first version in spec.versions'],
  ],
  [
    v1beta1,
    'columns at the top and in a version',
    {
      spec: {
        version: 'v1',
        additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
          },
        ],
      },
    },
    [
      'spec.additionalPrinterColumns: Forbidden: top-level and per-version additionalPrinterColumns are mutually exclusive',
      `spec.versions: Invalid value: [{"name":"v1","served":true,"storage":true,"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".a"}]}]: ${sameColumns}`,
    ],
  ],
  [
    v1beta1,
    'a name at the top that none of its versions has, and more',
    { spec: { version: 'z', scope: 'x', versions: [{ name: '' }], group: null } },
    [
      'metadata.name: Invalid value: "new.example.com": must be spec.names.plural+"."+spec.group',
      'spec.group: Required value',
      'spec.scope: Unsupported value: "x": supported values: "Cluster", "Namespaced"',
      `spec.versions[0].name: Invalid value: "": ${label}`,
      `spec.versions: Invalid value: [{"name":"","served":false,"storage":false}]: ${oneStored}`,
      noneKept,
      'spec.version: Invalid value: "z": must match the first version in spec.versions',
    ],
  ],
  [
    v1beta1,
    'columns without a version',
    unnamed({ additionalPrinterColumns: [{ name: 'A', type: 'x', JSONPath: '.a' }] }),
    [
      `spec.versions: Invalid value: []: ${oneStored}`,
      noneKept,
      'spec.additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
    ],
  ],
  [
    v1beta1,
    'the same columns in each version',
    {
      spec: {
        version: 'v1',
        versions: [
          { ...served, storage: true, additionalPrinterColumns: columns },
          { ...served, name: 'v2', additionalPrinterColumns: columns },
        ],
      },
    },
    [
      `spec.versions: Invalid value: [{"name":"v1","served":true,"storage":true,"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":"a"}]},{"name":"v2","served":true,"storage":false,"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":"a"}]}]: ${sameColumns}`,
      'spec.versions[0].additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
      'spec.versions[1].additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
    ],
  ],
  [
    v1beta1,
    'a schema at the top and in a version, both wrong',
    {
      spec: {
        version: 'v1',
        preserveUnknownFields: false,
        validation: typeless,
        versions: [
          { ...served, storage: true, schema: typeless },
          { ...served, name: 'v2' },
          { ...served, name: 'v3', served: false },
        ],
      },
    },
    [
      'spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive',
      'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
      'spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root',
    ],
  ],
  [
    v1beta1,
    'versions without a schema that are served and pruned',
    {
      spec: {
        version: 'v1',
        preserveUnknownFields: false,
        validation: null,
        versions: [
          { ...served, storage: true },
          { ...served, name: 'v2', served: false },
          { ...served, name: 'v3' },
        ],
      },
    },
    [
      'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
      'spec.versions[2].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
    ],
  ],
  [
    v1beta1,
    'a status of one version and a schema of all that it does not fit',
    {
      spec: {
        version: 'v1',
        validation: { openAPIV3Schema: { type: 'string' } },
        versions: [
          { ...served, storage: true },
          { ...served, name: 'v2', subresources: { status: {} } },
        ],
      },
    },
    [
      'spec.validation.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    ],
  ],
  [
    v1beta1,
    'the address of a schema that has no type for a status',
    {
      spec: {
        version: 'v1',
        validation: { openAPIV3Schema: { $schema: 'y', type: 'string' } },
        subresources: { status: {} },
      },
    },
    [
      'spec.validation.openAPIV3Schema: Invalid value: {"$schema":"y","type":"string"}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
    ],
  ],
  [
    v1beta1,
    'extensions, which only a structural schema has',
    unnamed({
      version: 'v1',
      validation: { openAPIV3Schema: { properties: { a: { 'x-kubernetes-preserve-unknown-fields': true } } } },
    }),
    ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root'],
  ],
  [
    v1beta1,
    'reviews of a conversion without a webhook',
    unnamed({
      version: 'v1',
      preserveUnknownFields: false,
      validation: { openAPIV3Schema: { type: 'object' } },
      conversion: { strategy: '', conversionReviewVersions: ['v1'] },
    }),
    [
      'spec.conversion.strategy: Required value',
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ],
  ],
  [
    v1beta1,
    'no fields to keep',
    unnamed({ version: 'v1', preserveUnknownFields: false, validation: null }),
    ['spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned'],
  ],
  [
    v1beta1,
    'no strategy, and fields that it would lose',
    unnamed({ version: 'v1', conversion: { strategy: '' } }),
    [
      'spec.conversion.strategy: Invalid value: "": must be None if spec.preserveUnknownFields is true',
      'spec.conversion.strategy: Required value',
    ],
  ],
  [v1, 'no strategy', { spec: { conversion: { strategy: '' } } }, ['spec.conversion.strategy: Required value']],
  [
    v1beta1,
    'a conversion that would lose fields',
    unnamed({
      version: 'v1',
      preserveUnknownFields: true,
      conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://a.b' } },
    }),
    ['spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true'],
  ],
  [
    v1beta1,
    'a webhook that is nowhere',
    unnamed({ version: 'v1', preserveUnknownFields: true, conversion: { strategy: 'Webhook' } }),
    [
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    ],
  ],
  [
    v1beta1,
    'a webhook that is not asked',
    unnamed({ version: 'v1', conversion: { strategy: 'None', webhookClientConfig: { url: 'https://a.b' } } }),
    ['spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook'],
  ],
  [
    v1,
    'a warning that is too long',
    versions(version({ deprecated: true, deprecationWarning: 'x'.repeat(257) })),
    [`${warning}: Invalid value: "${'x'.repeat(257)}": must be <= 256 characters long`],
  ],
  [
    v1,
    'a warning of two lines',
    versions(version({ deprecated: true, deprecationWarning: 'a\nb' })),
    [
      `${warning}: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1`,
    ],
  ],
  [
    v1,
    'a port that is none, told once',
    {
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { service: { name: 'a', namespace: 'b', port: 0 } },
            conversionReviewVersions: ['v1'],
          },
        },
      },
    },
    [
      'spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    v1beta1,
    'a status of what is no object',
    unnamed({ version: 'v1', subresources: { status: {} }, validation: { openAPIV3Schema: { type: 'string' } } }),
    [
      'spec.validation.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    ],
  ],
  [
    v1,
    'keys of items that are no map',
    versions(
      version({
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['y'] } },
          },
        },
      }),
    ),
    [
      'spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  ],
];

const updates: readonly Update[] = [
  [
    v1,
    'the names of its objects',
    {},
    { spec: { names: { plural: 'others' } } },
    ['spec.names.plural: Invalid value: "others": field is immutable'],
  ],
];

checkRefusals('definitions of custom resources', creations, updates);
