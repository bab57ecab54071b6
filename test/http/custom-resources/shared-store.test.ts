import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { openWatch, type OpenWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';
import { conditionsIn, define, definitions, established, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

/** Counts the deletions that servers ask for, and can hold the updates of definitions. */
class CountingStore extends MemoryStore {
  readonly deleted: string[] = [];
  /** Updates of definitions wait for this. */
  released: Promise<void> = Promise.resolve();
  held = 0;

  override async update(...args: Parameters<MemoryStore['update']>): ReturnType<MemoryStore['update']> {
    if (args[0].includes('/customresourcedefinitions.')) {
      this.held += 1;
      await this.released;
      this.held -= 1;
    }
    return super.update(...args);
  }

  override delete(...args: Parameters<MemoryStore['delete']>): ReturnType<MemoryStore['delete']> {
    this.deleted.push(args[0]);
    return super.delete(...args);
  }
}

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const validations = 'x-cluster-validations';

describe('two servers of one store', function () {
  let store: CountingStore;
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let one: TestServer;
  let other: TestServer;

  before(async () => {
    store = new CountingStore();
    served = await serveObjectStore(store, '127.0.0.1:0');
    const remote = { kind: 'remote', endpoint: served.endpoint } as const;
    one = await startServer({ store: remote });
    other = await startServer({ store: remote });
  });
  after(async () => {
    await one.stop();
    await other.stop();
    await served.close();
  });

  it('do not both delete the objects of a definition', async () => {
    const [group, count] = ['removed.example.com', 120];
    await define(one, widgetsIn(group));
    const kind = { apiVersion: `${group}/v1`, kind: 'Widget' };
    const create = (_: unknown, index: number) =>
      request(one, 'POST', widgetsAt(group), { ...kind, metadata: { name: `w${index}` }, spec: { size: 1 } });
    for (const { status } of await Promise.all(Array.from({ length: count }, create))) assert.equal(status, 201);
    await until('the other server', async () => (await request(other, 'GET', widgetsAt(group))).status === 200);
    store.deleted.length = 0;
    await request(one, 'DELETE', `${definitions}/widgets.${group}`);
    for (const server of [one, other]) {
      await until('the end of the definition', async () => {
        return (await request(server, 'GET', `${definitions}/widgets.${group}`)).status === 404;
      });
    }
    const calls = store.deleted.filter((key) => key.includes(`/widgets.${group}/`)).length;
    // The second server helps if it sees no progress, as on a machine that is very busy.
    assert.ok(calls >= count && calls < 1.5 * count, `${calls} deletions of ${count} objects`);
  });

  it('serve a definition before its conditions are written, and agree who has its names', async () => {
    const group = 'soon.example.com';
    let watch: OpenWatch | undefined;
    const { promise, resolve } = newDeferred<void>();
    store.released = promise;
    const rival = {
      ...widgetsIn(group, { names: { plural: 'gadgets', kind: 'Widget' } }),
      metadata: { name: `gadgets.${group}` },
    };
    // The rival is the first by its key, but not in time.
    for (const definition of [widgetsIn(group), rival]) {
      assert.equal((await request(one, 'POST', definitions, definition)).status, 201);
    }
    try {
      for (const server of [one, other]) {
        await until('the widgets', async () => (await request(server, 'GET', widgetsAt(group))).status === 200);
      }
      await until('the writes of both servers', () => store.held >= 4);
      watch = await openWatch(other, `${widgetsAt(group)}?watch=1`);
      for (const server of [one, other]) {
        assert.equal((await request(server, 'GET', `/apis/${group}/v1/gadgets`)).status, 404);
      }
      const { body } = await request(other, 'GET', `${definitions}/widgets.${group}`);
      assert.equal(conditionsIn(body as JsonObject)['Established'], undefined);
    } finally {
      resolve();
    }
    await established(other, widgetsIn(group));
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
    assert.equal((await request(one, 'POST', widgetsAt(group), widget)).status, 201);
    await until('its event, as the resource stays the same', () => watch?.events.length === 1);
    watch?.stop();
    const conditionsOf = async (name: string) =>
      conditionsIn((await request(other, 'GET', `${definitions}/${name}.${group}`)).body as JsonObject);
    await until('the conflict', async () => (await conditionsOf('gadgets'))['NamesAccepted'] === 'False');
    assert.equal((await conditionsOf('widgets'))['NamesAccepted'], 'True');
  });

  it('delete the objects of a definition that went before its conditions were written', async () => {
    const group = 'short.example.com';
    const { promise, resolve } = newDeferred<void>();
    store.released = promise;
    store.held = 0;
    await request(one, 'POST', definitions, widgetsIn(group));
    await until('the widgets', async () => (await request(one, 'GET', widgetsAt(group))).status === 200);
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
    assert.equal((await request(one, 'POST', widgetsAt(group), widget)).status, 201);
    await until('the writes of both servers', () => store.held >= 2);
    store.deleted.length = 0;
    const deletion = request(one, 'DELETE', `${definitions}/widgets.${group}`);
    await until('the deletion', () => store.held >= 3);
    resolve();
    await deletion;
    await until('the end of the definition', async () => {
      return (await request(one, 'GET', `${definitions}/widgets.${group}`)).status === 404;
    });
    assert.ok(
      store.deleted.some((key) => key.endsWith(`/widgets.${group}/default/w`)),
      store.deleted.join(),
    );
  });

  it('keep rules that another release has accepted, as long as their schema does not change', async () => {
    const group = 'costly.example.com';
    const list = {
      type: 'array',
      maxItems: 2_000,
      items: { type: 'string', maxLength: 5 },
      [validations]: [{ rule: 'self.all(x, self.size() > 0)' }],
    };
    const schema: JsonObject = { type: 'object', properties: { list } };
    await define(one, widgetsIn(group, { versions: [versionOf('v1', { schema: { openAPIV3Schema: schema } })] }));
    await rewrite(store, `/widgets.${group}`, 'self.all(x, self.size() > 0)', 'self.all(x, self.all(y, x == y))');
    const path = `${definitions}/widgets.${group}`;
    await until('the rule', async () => (await request(one, 'GET', path)).text.includes('self.all(y'));
    const change = (spec: JsonObject) => request(one, 'PATCH', path, { spec }, mergePatch);
    const kept = await change({ names: { shortNames: ['wgt'] } });
    assert.equal(kept.status, 200, kept.text);
    const described = { ...schema, description: 'other', properties: { list: { ...list, [validations]: costly } } };
    const refused = await change({ versions: [versionOf('v1', { schema: { openAPIV3Schema: described } })] });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /rule: Forbidden: estimated rule cost exceeds budget by factor of/);
  });
});

const costly = [{ rule: 'self.all(x, self.all(y, x == y))' }];

/** Replaces a text in the stored value of a key that ends with `end`. */
async function rewrite(store: MemoryStore, end: string, from: string, to: string): Promise<void> {
  for await (const { values } of store.list('/')) {
    for (const { key, value, revision } of values) {
      if (!key.endsWith(end) || !key.includes('customresourcedefinitions')) continue;
      const text = Buffer.from(value).toString('latin1').replace(from, to);
      await store.update(key, Buffer.from(text, 'latin1'), revision);
      return;
    }
  }
  assert.fail(`nothing is stored at ${end}`);
}
