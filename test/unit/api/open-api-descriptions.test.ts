import assert from 'node:assert/strict';
import type { OpenApiSchema } from '../../../src/scheme/open-api-schema.ts';
import { type Fixture, startFixture } from './fixture.ts';

type Definitions = Readonly<Record<string, OpenApiSchema>>;

/** Kinds that are described with all that is below them: those of the specification (spec 3, 4.10 to 4.12). */
const wholly = [
  /\.pkg\.apis\.meta\.v1\.(?:Status|DeleteOptions|ObjectMeta|ListMeta)$/,
  /\.api\.(?:networking|extensions)\.\w+\.(?:Ingress|IngressClass)(?:List)?$/,
  /\.api\.core\.v1\.Secret(?:List)?$/,
  /\.api\.(?:authentication|authorization)\.\w+\.\w+Review$/,
  /\.api\.certificates\.\w+\.CertificateSigningRequest(?:List)?$/,
  /\.api\.admissionregistration\.\w+\.\w+WebhookConfiguration(?:List)?$/,
];

describe('the descriptions in OpenAPI', () => {
  let fixture: Fixture;
  let definitions: Definitions;

  before(async () => {
    fixture = await startFixture();
    ({ definitions } = (await fixture.send({ path: '/openapi/v2' })).json() as { definitions: Definitions });
  });

  after(() => fixture[Symbol.asyncDispose]());

  const missingIn = (names: Iterable<string>): string[] =>
    [...names].flatMap((name) => {
      const { description, properties = {} } = definitions[name] ?? {};
      const fields = Object.entries(properties).filter(([, field]) => !field.description);
      return [...(description ? [] : [name]), ...fields.map(([field]) => `${name}.${field}`)];
    });

  it('say what every kind is, and what its fields are', () => {
    const kinds = Object.keys(definitions).filter((name) => definitions[name]?.['x-kubernetes-group-version-kind']);
    assert.ok(kinds.length > 170, `${kinds.length} kinds`);
    assert.deepEqual(missingIn(kinds), []);
  });

  it('say what every field is, of the kinds that the specification describes', () => {
    const names = new Set(Object.keys(definitions).filter((name) => wholly.some((pattern) => pattern.test(name))));
    // The set grows while it is read: definitions name others.
    for (const name of names) {
      for (const [, part = ''] of JSON.stringify(definitions[name]).matchAll(/#\/definitions\/([^"]+)/g))
        names.add(part);
    }
    assert.ok(names.size > 120, `${names.size} definitions`);
    assert.deepEqual(missingIn(names), []);
  });

  it('are those of the version that a version has its shape from, where it has none', () => {
    const name = 'io.k8s.api.certificates.v1beta1.CertificateSigningRequestSpec';
    assert.equal(
      definitions[name]?.properties?.['request']?.description,
      definitions[name.replace('v1beta1', 'v1')]?.properties?.['request']?.description,
    );
  });
});
