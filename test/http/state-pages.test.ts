import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { createClRunner } from './cl/cl-runner.ts';
import { request } from './http-client.ts';
import { openWatch } from './reads/open-watch.ts';
import { until } from './until.ts';

const core = '/api/v1/namespaces/default';
const secretValue = 'canary-of-the-pages-1';

interface Page {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

describe('the pages about the state of a server', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      authorizationMode: ['RBAC'],
      tokens: [{ token: 'plain', username: 'alice', groups: [] }],
    });
    const stringData = { a: secretValue.repeat(2_000) };
    const { status } = await request(server, 'POST', `${core}/secrets`, { metadata: { name: 'large' }, stringData });
    assert.equal(status, 201);
    // Fills the cache.
    await request(server, 'GET', '/api/v1/secrets');
  });
  after(() => server.stop());

  const page = async (path: string): Promise<Page> => {
    const { status, body, text } = await request(server, 'GET', path, undefined, { accept: 'application/json' });
    assert.equal(status, 200, text);
    return body as Page;
  };

  it('are listed, and need the right to get them', async () => {
    const { rows } = await page('/debug');
    assert.deepEqual(
      rows.map(({ path }) => path),
      ['requests', 'users', 'watches', 'objects', 'caches', 'store', 'leases'].map((name) => `/debug/${name}`),
    );
    for (const { path } of [{ path: '/debug' }, ...rows]) {
      const refused = await request(server, 'GET', String(path), undefined, { authorization: 'Bearer plain' });
      assert.equal(refused.status, 403, String(path));
    }
    assert.equal((await request(server, 'POST', '/debug/users')).status, 405);
  });

  it('show the slowest requests and the busiest users', async () => {
    for (let index = 0; index < 30; index++) {
      await request(server, 'GET', `${core}/configmaps?token=query`);
      await request(server, 'GET', `${core}/configmaps`, undefined, { authorization: 'Bearer plain' });
    }
    await until('the requests to be counted', async () => {
      const { rows } = await page('/debug/users');
      return rows.some(({ user, requests }) => user === 'alice' && Number(requests) >= 30);
    });
    const { rows } = await page('/debug/requests');
    assert.equal(rows.length, 20);
    assert.ok(rows.every(({ ms }, index) => index === 0 || Number(ms) <= Number(rows[index - 1]?.['ms'])));
    assert.ok(!JSON.stringify(rows).includes('token=query'));
  });

  it('show the largest objects without their contents', async () => {
    const { rows } = await page('/debug/objects');
    assert.match(String(rows[0]?.['key']), /\/secrets\/default\/large$/);
    assert.ok(Number(rows[0]?.['bytes']) > 40_000);
    const { rows: all } = await page('/debug');
    for (const { path } of all) {
      const { text } = await request(server, 'GET', String(path));
      for (const value of [secretValue, Buffer.from(secretValue).toString('base64').slice(0, 20)]) {
        assert.ok(!text.includes(value), String(path));
      }
    }
  });

  it('show watches by client, the caches, the store and leases', async () => {
    const watch = await openWatch(server, `${core}/configmaps?watch=true`);
    await until('the watch to be shown', async () =>
      (await page('/debug/watches')).rows.some(({ resource, watches }) => resource === 'configmaps' && watches === 1),
    );
    watch.stop();
    const caches = (await page('/debug/caches')).rows;
    assert.ok(caches.some(({ resource, objects }) => resource === 'namespaces' && Number(objects) >= 1));
    const store = Object.fromEntries((await page('/debug/store')).rows.map(({ name, value }) => [name, value]));
    assert.ok(Number(store['revision of the store']) > 0);
    const spec = {
      holderIdentity: 'gone',
      leaseDurationSeconds: 15,
      renewTime: '2020-01-01T00:00:00.000000Z',
      acquireTime: '2020-01-01T00:00:00.000000Z',
    };
    const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';
    assert.equal((await request(server, 'POST', leases, { metadata: { name: 'late' }, spec })).status, 201);
    assert.equal((await page('/debug/leases')).rows[0]?.['name'], 'late');
  });

  it('are text for people, with a column for each value', async () => {
    const { text, headers } = await request(server, 'GET', '/debug/caches');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^The caches of resources\n\nRESOURCE +OBJECTS +WATCHES/);
  });

  it('are read by cl doctor, which names what is unusual', async () => {
    const cl = await createClRunner(server);
    const { out } = await cl.run('doctor');
    assert.match(out, /^warning +the lease default\/late of gone is overdue for \d+ s\n +-> its holder has stopped/m);
    await cl.remove();
  });
});
