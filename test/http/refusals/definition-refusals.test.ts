import assert from 'node:assert/strict';
import { type Fixture, startFixture } from '../../unit/api/fixture.ts';

const object = { type: 'object' };
const root = 'spec.validation.openAPIV3Schema';
const version = (part: object = {}): object => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: object },
  ...part,
});
const definition = (part: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.a.b' },
  spec: { group: 'a.b', scope: 'Namespaced', names: { plural: 'foos', kind: 'Foo' }, versions: [version()], ...part },
});
const of = (part: object): object => definition({ versions: [version(part)] });
const schema = (openAPIV3Schema: object): object => of({ schema: { openAPIV3Schema } });
const field = (part: object): object => schema({ ...object, properties: { a: part } });
const typeOf = `${root}.properties[a].type`;

/** A mistake in a definition, and the errors as `field: message`. */
const rows: readonly (readonly [what: string, body: object, errors: readonly string[]])[] = [
  ['no mistake', field({ type: 'array', items: { type: 'string' } }), []],
  ['a free field', field({ 'x-kubernetes-preserve-unknown-fields': true }), []],
  [
    'a number or a text',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    [],
  ],
  ['a field without a type', field({}), [`${typeOf}: Required value: must not be empty for specified object fields`]],
  [
    'items without a type',
    field({ type: 'array', items: {} }),
    [`${root}.properties[a].items.type: Required value: must not be empty for specified array items`],
  ],
  ['a list of nothing', field({ type: 'array' }), [`${root}.properties[a].items: Required value: must be specified`]],
  [
    'a root that is none',
    schema({ type: 'string' }),
    [`${root}.type: Invalid value: "string": must be object at the root`],
  ],
  [
    'an unknown type',
    field({ type: 'x' }),
    [
      `${typeOf}: Unsupported value: "x": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  ],
  [
    'fields of a name and of any',
    schema({ ...object, properties: { a: object }, additionalProperties: object }),
    [
      `${root}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
      `${root}.additionalProperties: Forbidden: must not be used at the root`,
    ],
  ],
  [
    'a type where one is only restricted',
    field({ ...object, allOf: [{ type: 'object' }] }),
    [`${root}.properties[a].allOf[0].type: Forbidden: must be empty to be structural`],
  ],
  [
    'metadata of its own',
    schema({ ...object, properties: { metadata: { ...object, properties: { labels: object } } } }),
    [
      `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  ],
  [
    'a list that is merged by nothing',
    field({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'x' }),
    [`${root}.properties[a].x-kubernetes-list-type: Unsupported value: "x": supported values: "atomic", "set", "map"`],
  ],
  [
    'a column that says nothing',
    of({ additionalPrinterColumns: [{}] }),
    [
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Required value',
    ],
  ],
  [
    'a column of nowhere',
    of({ additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: 'spec' }] }),
    ['spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .'],
  ],
  [
    'a count of nowhere',
    of({ subresources: { scale: { specReplicasPath: '.x', statusReplicasPath: '.status.x' } } }),
    ['spec.subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec'],
  ],
  [
    'a webhook that is not there',
    definition({ conversion: { strategy: 'Webhook' } }),
    [
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      'spec.conversion.conversionReviewVersions: Required value',
    ],
  ],
  [
    'a mistake in one version of two',
    definition({
      versions: [
        version(),
        version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { ...object, nullable: true } } }),
      ],
    }),
    ['spec.versions[1].schema.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root'],
  ],
];

describe('a definition with', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const create = (body: object) =>
    fixture.send({ method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', body });

  for (const [what, body, errors] of rows) {
    it(`${what}: ${errors.length > 0 ? 'is refused' : 'is taken'}`, async () => {
      const response = await create(body);
      const causes = (response.at('details.causes') ?? []) as { field: string; message: string }[];
      assert.deepEqual(
        causes.map((cause) => `${cause.field}: ${cause.message}`),
        errors,
        response.text,
      );
      assert.equal(response.status, errors.length > 0 ? 422 : 201);
    });
  }

  it('another kind than that of its objects: is refused', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const type = 'application/merge-patch+json';
    assert.equal((await fixture.send({ method: 'POST', path, body: definition({}) })).status, 201);
    const conditions = [{ type: 'Established', status: 'True' }];
    const status = { method: 'PATCH', path: `${path}/foos.a.b/status`, body: { status: { conditions } }, type };
    assert.equal((await fixture.send(status)).status, 200);
    for (const [spec, expected] of [
      [{ names: { kind: 'Bar', listKind: 'BarList', singular: 'bar' } }, 'spec.names.kind'],
      [{ preserveUnknownFields: true }, 'spec.preserveUnknownFields'],
    ] as const) {
      const response = await fixture.send({ method: 'PATCH', path: `${path}/foos.a.b`, body: { spec }, type });
      assert.equal(response.status, 422, response.text);
      assert.equal(response.at('details.causes.0.field'), expected);
    }
  });

  it('one name for two versions: is an error of the list', async () => {
    const response = await create(definition({ versions: [version(), version({ storage: false })] }));
    assert.equal(response.at('details.causes.0.field'), 'spec.versions');
    assert.match(String(response.at('message')), /must contain unique version names/);
  });
});
