import assert from 'node:assert/strict';
import { at, type Fixture, startFixture } from './fixture.ts';
import { type ListClient, openListClients } from './list-clients.ts';

const path = '/api/v1/namespaces/ns/configmaps';
const selected = `${path}?labelSelector=${encodeURIComponent('!canary')}`;
const count = 300;
const names = Array.from({ length: count }, (_, index) => `m${String(index).padStart(3, '0')}`);
/**
 * The one object that the selector leaves out: few objects stand before it, and a long run behind
 * it.
 */
const canary = 'm010';

async function namesIn(client: ListClient, from: string): Promise<unknown[]> {
  const list: unknown = JSON.parse((await client.read(from)).toString());
  const items = at(list, 'items');
  return Array.isArray(items) ? items.map((item) => at(item, 'metadata.name')) : [];
}

describe('a list of nearly all objects, between lists of all of them', () => {
  let server: Fixture;
  let clients: readonly ListClient[];

  beforeEach(async () => {
    server = await startFixture();
    // Fills the cache: objects that come later are not beside their neighbours in memory before
    // they are listed.
    await server.send({ path });
    for (const name of names) {
      const labels = name === canary ? { canary: 'yes' } : {};
      await server.configMap(name, { labels, data: { text: 'x'.repeat(2_000) } });
    }
    clients = await openListClients(server);
  });
  afterEach(async () => {
    for (const client of clients) await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const index of [0, 1, 2, 3]) {
    it(`has each item once (client ${index})`, async () => {
      const client = clients[index];
      assert.ok(client);
      const wanted = names.filter((name) => name !== canary);
      for (let round = 0; round < 3; round++) {
        assert.deepEqual(await namesIn(client, selected), wanted, `${client.name}: selected, round ${round}`);
        assert.deepEqual(await namesIn(client, path), names, `${client.name}: all, round ${round}`);
      }
    });
  }
});
