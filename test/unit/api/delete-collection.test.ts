import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Registries } from '../../../src/registry/definition/registry.ts';
import { type Fixture, itemNames, startFixture } from './fixture.ts';
import { withoutAges } from './without-ages.ts';

const path = '/api/v1/namespaces/ns/configmaps';
const pageSize = 500;
const count = 2 * pageSize + 7;
const names = Array.from({ length: count }, (_, index) => `m${String(index).padStart(4, '0')}`);

describe('the answer to a deletion of more than a page', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
    for (let from = 0; from < count; from += 100) {
      await Promise.all(names.slice(from, from + 100).map((name, at) => fixture.configMap(name, labels(from + at))));
    }
  });
  afterEach(() => fixture[Symbol.asyncDispose]());
  const labels = (index: number) => ({ labels: { even: String(index % 2 === 0) } });
  const left = async () => itemNames(await fixture.send({ path }));

  it('is the list of what was deleted, as it was', async () => {
    const before = await fixture.send({ path });
    const response = await fixture.send({ method: 'DELETE', path });
    assert.equal(response.status, 200);
    assert.equal(response.text, before.text);
    assert.deepEqual(await left(), []);
  });

  it('lists what is selected, up to the limit', async () => {
    const even = names.filter((_, index) => index % 2 === 0);
    const response = await fixture.send({ method: 'DELETE', path: `${path}?labelSelector=even%3Dtrue&limit=502` });
    assert.deepEqual(itemNames(response), even.slice(0, 502));
    assert.notEqual(response.at('metadata.continue'), undefined);
    assert.equal((await left()).length, count - 502);
  });

  it('refuses what the options of a watch may not have, as a list does', async () => {
    const query = 'resourceVersionMatch=Exact&watch=x';
    const response = await fixture.send({ method: 'DELETE', path: `${path}?${query}` });
    assert.equal(response.status, 422, response.text);
    assert.match(
      String(response.at('message')),
      /forbidden for watch, .* forbidden unless resourceVersion is provided/,
    );
    assert.equal((await left()).length, count);
  });

  it('is the same in a dry run, and compressed for who takes it', async () => {
    const before = await fixture.send({ path });
    const headers = { 'accept-encoding': 'gzip' };
    const response = await fixture.send({ method: 'DELETE', path: `${path}?dryRun=All`, headers });
    assert.equal(gunzipSync(response.bytes).toString(), before.text);
    assert.equal((await left()).length, count);
  });

  it('comes in the shape that was asked for', async () => {
    const accept = (as: string) => ({ accept: `application/json;as=${as};g=meta.k8s.io;v=v1` });
    const lists = ['PartialObjectMetadataList', 'Table'].map(async (as) => {
      const deleted = await fixture.send({ method: 'DELETE', path: `${path}?dryRun=All`, headers: accept(as) });
      const listed = await fixture.send({ path, headers: accept(as) });
      assert.equal(withoutAges(deleted.text), withoutAges(listed.text));
    });
    await Promise.all(lists);
    const pretty = await fixture.send({ method: 'DELETE', path: `${path}?dryRun=All&pretty=true` });
    assert.equal(pretty.text, (await fixture.send({ path: `${path}?pretty=true` })).text);
  });

  it('is cut off where a page has been lost meanwhile', async () => {
    const losing: Registries = {
      ...fixture.registries,
      of: (definition) => {
        const registry = fixture.registries.of(definition);
        return (
          registry && {
            ...registry,
            deleteCollection: async (scope, query, options) => {
              const list = await registry.deleteCollection(scope, query, options);
              return 'items' in list ? list : { ...list, pages: broken(list.pages) };
            },
          }
        );
      },
    };
    const server = await startFixture({ registries: losing });
    try {
      await assert.rejects(server.send({ method: 'DELETE', path }), /aborted|socket hang up/);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
});

async function* broken<T>(pages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) {
    yield page;
    throw new Error('the store has forgotten it');
  }
}
