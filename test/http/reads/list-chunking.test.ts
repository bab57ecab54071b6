import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const collection = '/api/v1/namespaces/default/configmaps';

/** A server with three objects, and the names and the token of its answers. */
async function open(featureGates: readonly string[]) {
  const server: TestServer = await startServer({ store: 'memory', featureGates });
  for (const name of ['a', 'b', 'c']) {
    const created = await request(server, 'POST', collection, { metadata: { name, labels: { of: 'pages' } } });
    assert.equal(created.status, 201, created.text);
  }
  return {
    stop: async () => server.stop(),
    send: async (method: string, query: string) => {
      const { status, body, text } = await request(server, method, `${collection}?labelSelector=of%3Dpages&${query}`);
      assert.equal(status, 200, text);
      const names = objectsAt(body as JsonObject, 'items').map((item) => objectAt(item, 'metadata')['name']);
      return [names, typeof objectAt(body as JsonObject, 'metadata')['continue']];
    },
  };
}

describe('the pages of lists', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  afterEach(() => opened.stop());

  it('are served by default', async () => {
    opened = await open([]);
    assert.deepEqual(await opened.send('GET', 'limit=2'), [['a', 'b'], 'string']);
  });

  it('are not served without their feature gate: limit and token have no effect', async () => {
    opened = await open(['APIListChunking=false']);
    const whole = [['a', 'b', 'c'], 'undefined'];
    for (const query of ['limit=2', 'limit=2&resourceVersion=0', 'limit=1&continue=junk', 'continue=junk&limit=0']) {
      assert.deepEqual(await opened.send('GET', query), whole, query);
    }
    assert.deepEqual(await opened.send('DELETE', 'limit=1'), whole);
    assert.deepEqual(await opened.send('GET', ''), [[], 'undefined']);
  });
});
