import assert from 'node:assert/strict';
import { schemaOfKind } from '../../src/cli/commands/types/schema-of-kind.ts';
import { discoverAll, type DiscoveredResource } from '../../src/client/discovery.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import { groupVersionPath, resourcePath } from '../../src/client/resource-path.ts';
import { StatusError } from '../../src/client/error-of-response.ts';
import { examplesOf } from '../../src/dashboard/examples/examples-of.ts';
import { identifiersOf, identifierSets } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/start-server.ts';

/** Reviews and the like, which are no objects. */
const isStored = ({ verbs }: { readonly verbs: readonly string[] }): boolean =>
  verbs.includes('create') && verbs.includes('list');

/** The page shows the first version of discovery. */
const isPreferred = (kind: DiscoveredResource, at: number, all: readonly DiscoveredResource[]): boolean =>
  all.findIndex(({ group, resource }) => group === kind.group && resource === kind.resource) === at;

describe('examples of the dashboard', () => {
  for (const set of identifierSets) {
    describe(`with the ${set} names`, () => {
      let server: TestServer;
      let client: Client;
      let kinds: readonly DiscoveredResource[];
      before(async () => {
        server = await startServer({ store: 'memory', identifiers: set });
        client = createClient(server.connection);
        const { resources } = await discoverAll(client);
        kinds = resources.filter(isStored).filter(isPreferred);
      });
      after(async () => {
        await client.close();
        await server.stop();
      });

      const source = { identifiers: identifiersOf(set), namespace: 'default', published: undefined };

      it('are accepted by the server', async () => {
        let accepted = 0;
        for (const kind of kinds) {
          for (const { title, object } of examplesOf({ ...source, kind }).slice(0, -1)) {
            assert.equal(await problemOf(client, kind, object), '', `${kind.kind}: ${title}`);
            accepted++;
          }
        }
        assert.ok(accepted >= 45, String(accepted));
      });

      // The schemas of both sets differ in their names only.
      if (set !== 'cluster') return;

      it('made of the schema have no wrong types', async () => {
        const documents = new Map<string, Promise<JsonObject>>();
        const read = async (path: string): Promise<JsonObject> =>
          JSON.parse(String(await client.transport.request({ method: 'GET', path }))) as JsonObject;
        for (const kind of kinds) {
          const path = `/openapi/v3${groupVersionPath(kind.group, kind.version)}`;
          const document = documents.get(path) ?? read(path);
          documents.set(path, document);
          const schemas = objectAt(await document, 'components', 'schemas');
          const schema = schemaOfKind(schemas, kind);
          assert.ok(schema, kind.kind);
          const made = examplesOf({ ...source, kind, published: { schema, schemas } }).at(-1);
          assert.ok(made);
          // Its rules may refuse what its schema allows.
          assert.match(await problemOf(client, kind, made.object), /^(?:$|422 |403 )/, kind.kind);
        }
      });
    });
  }
});

/** The refusal of a create that is tried only; '' if there is none. */
async function problemOf(client: Client, kind: DiscoveredResource, object: JsonObject): Promise<string> {
  const path = resourcePath(kind, kind.namespaced ? { namespace: 'default' } : {});
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  try {
    await client.transport.request({
      method: 'POST',
      path,
      query,
      contentType: 'application/json',
      body: JSON.stringify(object),
    });
    return '';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.message}`;
  }
}
