import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { invalid } from '../../../src/status/field-error.ts';
import { forceFullCollection } from '../../../src/process/force-full-collection.ts';
import { customKind } from './custom-kind.ts';
import { type Fixture, itemNames, startFixture } from './fixture.ts';

const group = 'shop.example.com';
const collection = `/apis/${group}/v1/namespaces/ns/toys`;
const toys = customKind(group, 'toys');
const games = customKind(group, 'games');

const create = (server: Fixture, path: string, name: string, more: object = {}) =>
  server.send({ method: 'POST', path, body: { metadata: { name }, ...more } });

/** An open watch: the types and names of its events until it ends. */
async function watch(server: Fixture, path: string) {
  const request = http.get({ host: '127.0.0.1', port: server.port, path: `${path}?watch=1`, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const events: string[] = [];
  const ended = (async () => {
    for await (const line of createInterface({ input: response })) {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name: string } } };
      events.push(`${type} ${object.metadata.name}`);
    }
  })();
  const sees = async (event: string): Promise<void> => {
    while (!events.includes(event)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { events, ended, sees, close: () => request.destroy() };
}

describe('kinds that change at run time', () => {
  let server: Fixture;
  beforeEach(async () => {
    server = await startFixture();
  });
  afterEach(() => server[Symbol.asyncDispose]());
  const status = async (path: string): Promise<number> => (await server.send({ path })).status;

  it('are served from the next request on, and said to be', async () => {
    assert.equal(await status(collection), 404);
    assert.equal(await status(`/apis/${group}`), 404);
    const before = (await server.send({ path: '/openapi/v2' })).headers['etag'];
    server.catalogue.put(toys);
    const made = await create(server, collection, 'bear', { spec: { color: 'brown' } });
    assert.equal(made.status, 201);
    assert.equal(made.at('apiVersion'), `${group}/v1`);
    assert.equal((await server.send({ path: `${collection}/bear` })).at('spec.color'), 'brown');
    assert.deepEqual(itemNames(await server.send({ path: collection })), ['bear']);
    assert.equal((await server.send({ path: `/apis/${group}/v1` })).at('resources.0.name'), 'toys');
    assert.match((await server.send({ path: '/apis' })).text, /shop\.example\.com/);
    assert.match((await server.send({ path: '/' })).text, /shop\.example\.com/);
    const openApi = await server.send({ path: '/openapi/v2' });
    assert.match(openApi.text, /com\.example\.shop\.v1\.Toy/);
    assert.notEqual(openApi.headers['etag'], before);
  });

  it('are gone when they are removed, with their watches; others notice nothing', async () => {
    for (const kind of [toys, games]) server.catalogue.put(kind);
    const gamesPath = collection.replace('toys', 'games');
    const [removed, kept, builtIn] = await Promise.all([
      watch(server, collection),
      watch(server, gamesPath),
      watch(server, '/api/v1/namespaces/ns/configmaps'),
    ]);
    await create(server, collection, 'bear');
    await removed.sees('ADDED bear');
    server.catalogue.remove(group, 'toys');
    await removed.ended;
    assert.deepEqual(removed.events, ['ADDED bear']);
    assert.equal(await status(collection), 404);
    assert.equal(await status(`${collection}/bear`), 404);
    assert.doesNotMatch((await server.send({ path: `/apis/${group}/v1` })).text, /toys/);
    await create(server, gamesPath, 'chess');
    await server.configMap('a');
    await Promise.all([kept.sees('ADDED chess'), builtIn.sees('ADDED a')]);
    server.catalogue.remove(group, 'games');
    await kept.ended;
    assert.equal(await status(`/apis/${group}`), 404);
    builtIn.close();
  });

  it('come back with what was stored of them', async () => {
    server.catalogue.put(toys);
    await create(server, collection, 'bear');
    server.catalogue.remove(group, 'toys');
    server.catalogue.put(customKind(group, 'toys'));
    assert.deepEqual(itemNames(await server.send({ path: collection })), ['bear']);
    const events = await watch(server, collection);
    await events.sees('ADDED bear');
    await create(server, collection, 'duck');
    await events.sees('ADDED duck');
    events.close();
  });

  it('follow new rules when they are replaced, and keep their watches', async () => {
    server.catalogue.put(toys);
    const events = await watch(server, collection);
    assert.equal((await create(server, collection, 'bear')).status, 201);
    const validate = () => [invalid('spec', '', 'no more toys')];
    server.catalogue.put({ ...toys, strategy: { validate } });
    assert.equal((await create(server, collection, 'duck')).status, 422);
    server.catalogue.put(toys);
    assert.equal((await create(server, collection, 'duck')).status, 201);
    await events.sees('ADDED duck');
    events.close();
  });

  it('are read again when their selectable fields change', async () => {
    server.catalogue.put(toys);
    await create(server, collection, 'bear', { spec: { color: 'brown' } });
    const before = await watch(server, collection);
    const fieldsOf = () => ({ 'spec.color': 'brown' });
    server.catalogue.put({ ...toys, strategy: { selectableFields: ['spec.color'], fieldsOf } });
    await before.ended;
    const selected = await server.send({ path: `${collection}?fieldSelector=spec.color%3Dbrown` });
    assert.deepEqual(itemNames(selected), ['bear']);
  });

  it('keep the objects that another resource shares with them', async () => {
    const shared = { ...games, storage: toys.storage } as typeof games;
    for (const kind of [toys, shared]) server.catalogue.put(kind);
    const events = await watch(server, collection);
    server.catalogue.remove(group, 'games');
    await create(server, collection, 'bear');
    await events.sees('ADDED bear');
    events.close();
  });

  it('let requests that have begun come to their end', async () => {
    server.catalogue.put(toys);
    await create(server, collection, 'bear');
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? server.send({ path: collection }) : create(server, collection, `toy-${index}`),
    );
    setImmediate(() => server.catalogue.remove(group, 'toys'));
    for (const { status: answered } of await Promise.all(requests)) assert.ok([200, 201, 404].includes(answered));
  });
});

describe('a thousand kinds', () => {
  const count = 1000;
  const kinds = Array.from({ length: count }, (_, index) => customKind(`g${index % 100}.example.com`, `k${index}s`));
  const pathOf = (index: number): string => `/apis/g${index % 100}.example.com/v1/namespaces/ns/k${index}s`;
  const heap = async (): Promise<number> => {
    for (let round = 0; round < 3; round++) {
      forceFullCollection();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };

  it('cost little to add, less than 20 KB each while unused, and nothing once they are removed', async () => {
    await using server = await startFixture();
    const use = async (): Promise<void> => {
      for (let index = 0; index < count; index += 10) {
        await create(server, pathOf(index), 'one');
        assert.deepEqual(itemNames(await server.send({ path: pathOf(index) })), ['one']);
      }
    };
    const addAll = (): number => {
      const start = process.cpuUsage();
      for (const kind of kinds) server.catalogue.put(kind);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    const removeAll = (): void => {
      for (const { group: name, resource } of kinds) server.catalogue.remove(name, resource);
    };
    // Once for what is made only once: compiled code, and what the store keeps.
    addAll();
    await use();
    removeAll();
    const before = await heap();
    assert.ok(addAll() / count < 3, 'milliseconds of CPU for each kind');
    assert.ok(((await heap()) - before) / count < 20_000, 'bytes of each unused kind');
    for (let index = 0; index < count; index += 10) await server.send({ path: pathOf(index) });
    removeAll();
    const after = await heap();
    assert.ok(after - before < count * 500, `${after - before} bytes are left of all`);
    assert.equal((await server.send({ path: pathOf(0) })).status, 404);
  });
});
