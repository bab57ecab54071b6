import assert from 'node:assert/strict';
import http from 'node:http';
import { textCodecs } from '../../../../src/api/request/codecs.ts';
import { OpenRequests } from '../../../../src/http-protocol/requests/open-requests.ts';
import { at, type Fixture, type Received, startFixture } from '../../api/fixture.ts';
import {
  readToy,
  readToyFrames,
  readToyList,
  type ToyCodec,
  toyCodec,
  toyType,
  writeToy,
} from '../../api/toy-codec.ts';

const collection = '/api/v1/namespaces/ns/configmaps';
const accept = { accept: toyType };

const configMap = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

interface ToyServer extends AsyncDisposable {
  readonly server: Fixture;
  readonly toy: ToyCodec;
}

/** A server with a third format, which cannot express Secrets. */
async function startToyServer(): Promise<ToyServer> {
  const toy = toyCodec('Secret');
  const server = await startFixture({ codecs: [...textCodecs, toy.codec] });
  return { server, toy, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function create(server: Fixture, name: string, path = collection): Promise<Received> {
  return server.send({ method: 'POST', path, headers: accept, body: writeToy(configMap(name)), type: toyType });
}

/** The bytes of a watch until its server ends it. */
function watched(
  server: Fixture,
  query: string,
): Promise<{ readonly type: string | undefined; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const path = `${collection}?watch=1&timeoutSeconds=1&${query}`;
    const request = http.get({ host: '127.0.0.1', port: server.port, path, headers: accept, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ type: response.headers['content-type'], bytes: Buffer.concat(chunks) }));
    });
  });
}

describe('a third codec in the list of a server', () => {
  it('reads and writes objects', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const created = await create(server, 'a');
    assert.equal(created.status, 201);
    assert.equal(created.headers['content-type'], toyType);
    assert.equal(at(readToy(created.bytes), 'metadata.name'), 'a');
    const path = `${collection}/a`;
    const replacement = writeToy(configMap('a', { k: 'v' }));
    const updated = await server.send({ method: 'PUT', path, body: replacement, type: toyType });
    assert.equal(updated.headers['content-type'], 'application/json');
    assert.equal(updated.at('data.k'), 'v');
    const got = await server.send({ path, headers: accept });
    assert.deepEqual(readToy(got.bytes), updated.json());
  });

  it('writes lists behind their length, with and without items', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const empty = await server.send({ path: collection, headers: accept });
    assert.deepEqual(readToyList(empty.bytes).items, []);
    for (const name of ['a', 'b', 'c']) await create(server, name);
    const list = await server.send({ path: collection, headers: accept });
    assert.equal(list.headers['content-type'], toyType);
    const { head, items } = readToyList(list.bytes);
    assert.equal(at(head, 'kind'), 'ConfigMapList');
    const json = await server.send({ path: collection });
    assert.deepEqual(items, json.at('items'));
  });

  it('writes long lists in the order of their items', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const names = Array.from({ length: 30 }, (_, index) => `long-${String(index).padStart(2, '0')}`);
    for (const name of names) await server.configMap(name, { data: { filler: 'x'.repeat(20_000) } });
    const list = await server.send({ path: collection, headers: accept });
    assert.equal(list.headers['content-length'], String(list.bytes.length));
    assert.deepEqual(
      readToyList(list.bytes).items.map((item) => at(item, 'metadata.name')),
      names,
    );
  });

  it('charges a list behind its length to the budget of answers, all of it', async () => {
    const requests = new OpenRequests({ stuckReaderMs: 0, maxBodyBytes: 0, maxAnswerBytes: 2_000_000 });
    requests.budgets.answers.take(500_000);
    const toy = toyCodec('Secret');
    await using server = await startFixture({ codecs: [...textCodecs, toy.codec], requests });
    for (let index = 0; index < 30; index++) {
      await server.configMap(`long-${index}`, { data: { filler: 'x'.repeat(40_000) } });
    }
    assert.equal((await server.send({ path: `${collection}?limit=10`, headers: accept })).status, 200);
    assert.equal((await server.send({ path: collection, headers: accept })).status, 429);
    assert.equal((await server.send({ path: collection })).status, 200);
  });

  it('encodes the items of a cache once, in each version', async () => {
    await using started = await startToyServer();
    const { server, toy } = started;
    const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/ns/horizontalpodautoscalers`;
    const spec = { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd' } };
    const body = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' }, spec };
    assert.equal((await server.send({ method: 'POST', path: autoscalers('v1'), body })).status, 201);
    const texts = new Set<string>();
    for (const version of ['v1', 'v1', 'v2beta2', 'v2beta2']) {
      texts.add((await server.send({ path: autoscalers(version), headers: accept })).text);
    }
    assert.equal(texts.size, 2);
    assert.equal(toy.encoded(), 2);
  });

  it('writes Tables and metadata alone', async () => {
    await using started = await startToyServer();
    const { server } = started;
    await create(server, 'a');
    const as = (shape: string) => ({ accept: `${toyType};as=${shape};v=v1;g=meta.k8s.io` });
    const table = readToyList((await server.send({ path: collection, headers: as('Table') })).bytes);
    assert.equal(at(table.head, 'kind'), 'Table');
    assert.equal(at(table.items[0], 'cells.0'), 'a');
    const path = `${collection}/a`;
    const metadata = readToy((await server.send({ path, headers: as('PartialObjectMetadata') })).bytes);
    assert.equal(at(metadata, 'kind'), 'PartialObjectMetadata');
    assert.equal(at(metadata, 'metadata.name'), 'a');
  });

  it('writes watches, bookmarks and errors in them included', async () => {
    await using started = await startToyServer();
    const { server } = started;
    await create(server, 'a');
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { type, bytes } = await watched(server, query);
    assert.equal(type, `${toyType};stream=watch`);
    const [first, bookmark] = readToyFrames(bytes);
    assert.equal(first?.type, 'ADDED');
    assert.equal(at(first?.object, 'metadata.name'), 'a');
    assert.equal(bookmark?.type, 'BOOKMARK');
    assert.equal(at(bookmark?.object, 'kind'), 'ConfigMap');
  });

  it('writes errors and the Status of a delete', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const missing = await server.send({ path: `${collection}/none`, headers: accept });
    assert.equal(missing.status, 404);
    assert.equal(at(readToy(missing.bytes), 'reason'), 'NotFound');
    await create(server, 'a');
    const deleted = await server.send({ method: 'DELETE', path: `${collection}/a`, headers: accept });
    assert.equal(at(readToy(deleted.bytes), 'status'), 'Success');
  });

  it('refuses a body that it cannot read, in its own words', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const response = await server.send({ method: 'POST', path: collection, body: '{}', type: toyType });
    assert.equal(response.status, 400);
    const message = 'the object provided is unrecognized (must be of type ConfigMap): the body is no toy: no toy ({})';
    assert.equal(response.at('message'), message);
  });

  it('is listed where a format is refused', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const all = `application/json, application/yaml, ${toyType}`;
    const notAcceptable = await server.send({ path: collection, headers: { accept: 'text/html' } });
    assert.equal(notAcceptable.status, 406);
    assert.equal(notAcceptable.at('message'), `only the following media types are accepted: ${all}`);
    const unsupported = await server.send({ method: 'POST', path: collection, body: 'x', type: 'text/html' });
    assert.equal(unsupported.status, 415);
    assert.match(String(unsupported.at('message')), new RegExp(`include: ${all}$`));
  });

  it('is neither answered nor taken for a kind that it cannot express', async () => {
    await using started = await startToyServer();
    const { server } = started;
    const path = '/api/v1/namespaces/ns/secrets';
    const refused = await server.send({ path, headers: accept });
    assert.equal(refused.status, 406);
    // The refusal itself can be expressed.
    const message = `only the following media types are accepted: application/json, application/yaml, ${toyType}`;
    assert.equal(at(readToy(refused.bytes), 'message'), message);
    assert.equal((await create(server, 'a', path)).status, 406);
    const body = writeToy({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
    assert.equal((await server.send({ method: 'POST', path, body, type: toyType })).status, 400);
    const fallback = await server.send({ path, headers: { accept: `${toyType}, application/json` } });
    assert.equal(fallback.at('kind'), 'SecretList');
  });
});
