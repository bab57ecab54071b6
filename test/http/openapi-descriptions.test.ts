import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

interface PublishedSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}
type PublishedSchemas = Readonly<Record<string, PublishedSchema>>;

/** The definitions and properties without a description, and how many properties there are. */
function undescribed(schemas: PublishedSchemas): { readonly count: number; readonly missing: readonly string[] } {
  const properties = Object.entries(schemas).flatMap(([name, { properties: own = {} }]) =>
    Object.entries(own).map(([property, { description }]) => ({ name: `${name}.${property}`, description })),
  );
  const definitions = Object.entries(schemas).map(([name, { description }]) => ({ name, description }));
  const missing = [...definitions, ...properties].filter(({ description }) => !description?.endsWith('.'));
  return { count: properties.length, missing: missing.map(({ name }) => name) };
}

async function read<T>(server: TestServer, path: string): Promise<T> {
  const { status, text } = await request(server, 'GET', path);
  assert.equal(status, 200, path);
  return JSON.parse(text) as T;
}

describe('the published descriptions', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ emulationForwardCompatible: true, runtimeConfig: ['api/all=true'] });
  });
  after(() => server.stop());

  it('are of each definition and each property in OpenAPI 2', async () => {
    const { definitions } = await read<{ readonly definitions: PublishedSchemas }>(server, '/openapi/v2');
    const { count, missing } = undescribed(definitions);
    assert.deepEqual(missing, []);
    assert.ok(count > 2500, `${count} properties`);
  });

  it('are of each schema and each property in OpenAPI 3', async () => {
    type Index = { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> };
    type Document = { readonly components?: { readonly schemas?: PublishedSchemas } };
    const { paths } = await read<Index>(server, '/openapi/v3');
    const documents = await Promise.all(
      Object.values(paths).map(({ serverRelativeURL }) => read<Document>(server, serverRelativeURL)),
    );
    const { count, missing } = undescribed(
      Object.assign({}, ...documents.map(({ components }) => components?.schemas)) as PublishedSchemas,
    );
    assert.deepEqual(missing, []);
    assert.ok(count > 2500, `${count} properties`);
  });
});
