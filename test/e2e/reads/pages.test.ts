import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { type HttpResponse, request } from '../../http/http-client.ts';
import { until } from '../../http/until.ts';
import { readFixtures } from './fixtures.ts';
import { type ListBody, listOf, statusOf } from '../../http/reads/world.ts';

const configMaps = '/api/v1/namespaces/red/configmaps';
const count = 25;

/** `p00`, `p01`, … */
const nameOf = (index: number): string => `p${String(index).padStart(2, '0')}`;

/** Fills a namespace; every third object is labelled. */
async function fill(server: TestServer): Promise<void> {
  for (const name of ['red', 'blue']) await request(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
  for (let index = 0; index < count; index++) {
    const metadata = { name: nameOf(index), labels: index % 3 === 0 ? { third: 'yes' } : {} };
    assert.equal((await request(server, 'POST', configMaps, { metadata })).status, 201);
  }
  await request(server, 'POST', '/api/v1/namespaces/blue/configmaps', { metadata: { name: 'zz' } });
}

/** All pages of a list; `between` runs between them. */
async function pagesOf(server: TestServer, query: string, between?: () => Promise<void>): Promise<ListBody[]> {
  const pages: ListBody[] = [];
  let token = '';
  do {
    const list = listOf(await request(server, 'GET', `${configMaps}?${query}${token && `&continue=${token}`}`));
    pages.push(list);
    token = encodeURIComponent(list.metadata.continue ?? '');
    if (token) await between?.();
  } while (token);
  return pages;
}

const namesIn = (pages: readonly ListBody[]): string[] =>
  pages.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));

/** Removes, changes and adds something. */
function churnOf(server: TestServer): () => Promise<void> {
  let turn = 0;
  return async () => {
    const name = `churn-${turn++}`;
    await request(server, 'POST', configMaps, { metadata: { name, labels: { third: 'yes' } } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = JSON.stringify({ metadata: { labels: { third: 'yes', turn: String(turn) } } });
    await request(server, 'PATCH', `${configMaps}/${nameOf(turn % count)}`, patch, headers);
    await request(server, 'DELETE', `${configMaps}/churn-${turn - 3}`);
  };
}

for (const { name, options } of readFixtures) {
  describe(`the pages of a list (${name})`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer(options);
      await fill(server);
    });
    after(() => server.stop());

    it('are one snapshot, whatever the limit and whatever is written between them', async () => {
      for (const limit of [1, 7, count - 1, count, 100]) {
        const pages = await pagesOf(server, `limit=${limit}`, churnOf(server));
        const { resourceVersion } = pages[0]?.metadata ?? { resourceVersion: '' };
        const query = `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
        const whole = listOf(await request(server, 'GET', `${configMaps}?${query}`));
        assert.deepEqual(
          pages.flatMap(({ items }) => items),
          whole.items,
        );
        assert.ok(pages.every(({ metadata }) => metadata.resourceVersion === resourceVersion));
        let left = whole.items.length;
        for (const { items, metadata } of pages) {
          left -= items.length;
          assert.equal(metadata.remainingItemCount ?? 0, left);
        }
      }
    });

    it('are filled with what a selector selects, and the last one is not followed by an empty one', async () => {
      const whole = listOf(await request(server, 'GET', `${configMaps}?labelSelector=third%3Dyes`)).items.length;
      for (const limit of [2, whole]) {
        const pages = await pagesOf(server, `limit=${limit}&labelSelector=third%3Dyes`);
        const sizes = pages.map(({ items }) => items.length);
        assert.equal(sizes.length, Math.ceil(whole / limit));
        assert.ok(sizes.slice(0, -1).every((size) => size === limit));
        assert.ok(pages.every(({ metadata }) => metadata.remainingItemCount === undefined));
      }
    });

    it('never leave their collection, wherever the token comes from', async () => {
      const everywhere = listOf(await request(server, 'GET', '/api/v1/configmaps?limit=1'));
      const here = listOf(await request(server, 'GET', `${configMaps}?limit=1`));
      for (const token of [everywhere.metadata.continue, here.metadata.continue]) {
        for (const path of ['/api/v1/namespaces/blue/configmaps', configMaps]) {
          const query = `?continue=${encodeURIComponent(token ?? '')}`;
          const { items } = listOf(await request(server, 'GET', path + query));
          assert.ok(items.every(({ metadata }) => path.includes(`/${metadata.namespace}/`)));
        }
        const secrets = await request(server, 'GET', `/api/v1/secrets?continue=${encodeURIComponent(token ?? '')}`);
        assert.deepEqual(listOf(secrets).items, []);
      }
    });

    it('continue after the same name in another namespace, of another kind, and with another selector', async () => {
      const tokenOf = async (path: string): Promise<string> =>
        encodeURIComponent(listOf(await request(server, 'GET', path)).metadata.continue ?? '');
      const after = async (path: string, token: string): Promise<string[]> =>
        namesIn([listOf(await request(server, 'GET', `${path}continue=${token}`))]);
      for (const namespace of ['red', 'blue']) {
        for (const secret of ['p05', 'p07', 'p08']) {
          await request(server, 'POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: secret } });
        }
      }
      const present = namesIn([listOf(await request(server, 'GET', configMaps))]);
      const one = await tokenOf(`${configMaps}?limit=${present.indexOf('p07') + 1}`);
      assert.deepEqual(await after('/api/v1/namespaces/red/secrets?', one), ['p08']);
      assert.deepEqual(await after('/api/v1/namespaces/blue/configmaps?', one), ['zz']);
      const selecting = `${configMaps}?labelSelector=third%3Dyes`;
      const selected = namesIn([listOf(await request(server, 'GET', selecting))]);
      assert.deepEqual(
        await after(`${selecting}&`, one),
        selected.filter((each) => each > 'p07'),
      );
      // The place of a token of one namespace among all is the name as if it were a namespace's.
      assert.deepEqual(await after('/api/v1/secrets?', one), ['p05', 'p07', 'p08']);
      const all = await tokenOf('/api/v1/secrets?limit=4');
      assert.deepEqual(await after('/api/v1/secrets?', all), ['p07', 'p08']);
      const [behind] = await after('/api/v1/configmaps?limit=1&', all);
      assert.equal(behind, 'p06');
    });

    it('refuse a token that was made up', async () => {
      const made = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
      const tokens = [
        'x',
        '????',
        Buffer.from('[]').toString('base64url'),
        made({ v: 2, rv: 5, k: 'a' }),
        made({ v: 1, rv: 0, k: 'a' }),
        made({ v: 1, rv: 5, k: '' }),
        made({ v: 1, rv: 5, k: '../secrets/red/a' }),
        made({ v: 1, rv: 5, k: '/../x' }),
        made({ v: 'meta.cl.io/v1', rv: 5, start: 'a' }),
        'A'.repeat(12_000),
      ];
      for (const token of tokens) {
        const response = await request(server, 'GET', `${configMaps}?limit=1&continue=${encodeURIComponent(token)}`);
        assert.equal(response.status, 400, token.slice(0, 40));
        assert.match(statusOf(response).message, /^continue key is not valid/);
      }
    });
  });
}

for (const store of ['memory', 'etcd'] as const) {
  describe(`a list that is continued after its snapshot is gone (${store})`, () => {
    it('is answered 410 with a token that continues after the same key at the newest version', async () => {
      await using server = await startServer({ store, compactionIntervalMs: 200, watchHistoryMs: 1 });
      await fill(server);
      const first = listOf(await request(server, 'GET', `${configMaps}?limit=10`));
      const next = `${configMaps}?limit=10&continue=${encodeURIComponent(first.metadata.continue ?? '')}`;
      await request(server, 'POST', configMaps, { metadata: { name: 'p09-before' } });
      await request(server, 'POST', configMaps, { metadata: { name: 'p10-behind' } });
      let expired: HttpResponse | undefined;
      await until('the token to expire', async () => {
        expired = await request(server, 'GET', next);
        return expired.status === 410;
      });
      assert.ok(expired);
      const { reason, message, metadata } = statusOf(expired);
      assert.equal(reason, 'Expired');
      assert.match(message, /continue parameter is too old to display a consistent list/);
      // `p09` was the last name of the first page, so `p09-before` lies behind it too.
      const rest = await pagesOf(server, `limit=100&continue=${encodeURIComponent(metadata.continue ?? '')}`);
      const names = namesIn(rest);
      assert.deepEqual(names.slice(0, 3), ['p09-before', 'p10', 'p10-behind']);
      assert.equal(names.at(-1), nameOf(count - 1));
      assert.equal(names.length, count - 10 + 2);
      assert.ok(Number(rest[0]?.metadata.resourceVersion) > Number(first.metadata.resourceVersion));
    });

    it('is answered 410 for a compacted version, by match or by limit', async () => {
      await using server = await startServer({ store, compactionIntervalMs: 200, watchHistoryMs: 1 });
      await fill(server);
      const { resourceVersion } = listOf(await request(server, 'GET', configMaps)).metadata;
      for (const query of ['resourceVersionMatch=Exact', 'limit=3']) {
        await request(server, 'POST', configMaps, { metadata: { name: query.toLowerCase().replace('=', '-') } });
        const path = `${configMaps}?resourceVersion=${resourceVersion}&${query}`;
        await until(`410 with ${query}`, async () => (await request(server, 'GET', path)).status === 410);
        const { reason, message } = statusOf(await request(server, 'GET', path));
        assert.equal(reason, 'Expired');
        assert.equal(message, 'The resourceVersion for the provided list is too old.');
      }
      const older = await request(server, 'GET', `${configMaps}?resourceVersion=${resourceVersion}`);
      assert.equal(older.status, 200, 'not older than it is still answered');
    });
  });
}
