import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { type HttpResponse, readEvents, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

const clients = 6;
/** Increments of each client: enough for hundreds of conflicts, few enough for a second. */
const increments = 10;

/** Rounds of a race that is over at once. */
const rounds = 8;

const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
});

/** The body of an answer whose status is as expected. */
function bodyOf(response: HttpResponse, status: number): JsonObject {
  assert.equal(response.status, status, response.text);
  // Every answer here is a JSON document; each story looks at what it uses.
  return response.body as JsonObject;
}

const metadataOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata');
const versionOf = (object: JsonObject): string => stringAt(metadataOf(object), 'resourceVersion');
const countOf = (object: JsonObject): number => Number(stringAt(objectAt(object, 'data'), 'count'));

describe('writers at the same time, on a real etcd', () => {
  let server: TestServer;
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);
  const read = async (path: string) => bodyOf(await send('GET', path), 200);

  before(async () => {
    server = await startServer({ store: 'etcd' });
  });
  after(() => server.stop());

  /** Ways to write a count so that it only counts on top of what was read. */
  const ways: Readonly<Record<string, (path: string, live: JsonObject) => Promise<HttpResponse>>> = {
    PUT: (path, live) => send('PUT', path, { ...live, data: { count: String(countOf(live) + 1) } }),
    'a merge patch': (path, live) => {
      const { resourceVersion = null } = metadataOf(live);
      const patch = { metadata: { resourceVersion }, data: { count: String(countOf(live) + 1) } };
      return send('PATCH', path, patch, mergePatch);
    },
    'a JSON patch': (path, live) => {
      const count = countOf(live);
      const patch = [
        { op: 'test', path: '/data/count', value: String(count) },
        { op: 'replace', path: '/data/count', value: String(count + 1) },
      ];
      return send('PATCH', path, patch, jsonPatch);
    },
  };

  for (const [way, write] of Object.entries(ways)) {
    it(`lose no update by ${way} (P2)`, async () => {
      const name = way.replaceAll(' ', '-').toLowerCase();
      const path = `${configMaps}/${name}`;
      bodyOf(await send('POST', configMaps, configMap(name, { data: { count: '0' } })), 201);
      let conflicts = 0;
      const work = async (): Promise<void> => {
        for (let done = 0; done < increments; ) {
          const response = await write(path, await read(path));
          if (response.status === 200) done++;
          else {
            // A JSON patch whose test fails is refused as a whole.
            assert.ok(response.status === 409 || (way === 'a JSON patch' && response.status === 422), response.text);
            conflicts++;
          }
        }
      };
      await Promise.all(Array.from({ length: clients }, work));
      assert.equal(countOf(await read(path)), clients * increments);
      assert.ok(conflicts > 0, 'the clients never met');
    });
  }

  it('merge what does not conflict: patches of different fields are all there', async () => {
    bodyOf(await send('POST', configMaps, configMap('merged')), 201);
    const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
    const responses = await Promise.all(
      keys.map((key) => send('PATCH', `${configMaps}/merged`, { data: { [key]: 'yes' } }, mergePatch)),
    );
    const written = keys.filter((_, index) => responses[index]?.status === 200);
    for (const response of responses) assert.ok(response.status === 200 || response.status === 409, response.text);
    assert.deepEqual(new Set(Object.keys(objectAt(await read(`${configMaps}/merged`), 'data'))), new Set(written));
  });

  it('create a name once, and its uid is that of the 201 (P3)', async () => {
    for (let round = 0; round < rounds; round++) {
      const sent = configMap(`raced-${round}`);
      const responses = await Promise.all(Array.from({ length: 12 }, () => send('POST', configMaps, sent)));
      const [winner, ...others] = responses.filter(({ status }) => status === 201);
      assert.ok(winner && others.length === 0);
      for (const response of responses.filter((one) => one !== winner)) {
        assert.equal(bodyOf(response, 409)['reason'], 'AlreadyExists');
      }
      const live = await read(`${configMaps}/raced-${round}`);
      assert.equal(metadataOf(live)['uid'], metadataOf(bodyOf(winner, 201))['uid']);
    }
  });

  it('create by PUT once, where a kind can be created so', async () => {
    const path = '/api/v1/namespaces/default/endpoints/raced';
    const endpoints = (client: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'raced', labels: { client } },
    });
    const responses = await Promise.all(
      Array.from({ length: clients }, (_, index) => send('PUT', path, endpoints(String(index)))),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal(responses.filter(({ status }) => status === 200).length, clients - 1);
    bodyOf(await send('PUT', `${configMaps}/never`, configMap('never')), 404);
  });

  it('give every generated name once', async () => {
    const sent = { ...configMap(''), metadata: { generateName: 'drawn-' } };
    const responses = await Promise.all(Array.from({ length: 100 }, () => send('POST', configMaps, sent)));
    const names = responses.map((response) => metadataOf(bodyOf(response, 201))['name']);
    assert.equal(new Set(names).size, names.length);
  });

  it('never remove the successor of what a delete names by uid (P4)', async () => {
    for (let round = 0; round < rounds; round++) {
      const path = `${configMaps}/phoenix-${round}`;
      const { uid } = metadataOf(bodyOf(await send('POST', configMaps, configMap(`phoenix-${round}`)), 201));
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
      const rebirth = async (): Promise<JsonObject> => {
        bodyOf(await send('DELETE', path), 200);
        return bodyOf(await send('POST', configMaps, configMap(`phoenix-${round}`)), 201);
      };
      const racing = async (): Promise<HttpResponse> => send('DELETE', path, options);
      const [first, ...deletes] = await Promise.all([
        rebirth().catch(() => undefined),
        ...Array.from({ length: clients }, racing),
      ]);
      for (const { status } of deletes) assert.ok([200, 404, 409].includes(status), String(status));
      if (first) assert.equal(metadataOf(await read(path))['uid'], metadataOf(first)['uid']);
    }
  });

  it('keep what has a finalizer until the list is empty (P4)', async () => {
    const path = `${configMaps}/held`;
    const finalizers = Array.from({ length: clients }, (_, index) => `example.com/${index}`);
    const held = { ...configMap('held'), metadata: { name: 'held', finalizers } };
    bodyOf(await send('POST', configMaps, held), 201);
    bodyOf(await send('DELETE', path), 200);
    const letGo = async (finalizer: string): Promise<void> => {
      for (;;) {
        const live = await read(path);
        const left = metadataOf(live)['finalizers'];
        assert.ok(Array.isArray(left) && left.includes(finalizer), 'it goes with the last finalizer, not before');
        const rest = left.filter((other) => other !== finalizer);
        const metadata = { ...metadataOf(live), finalizers: rest };
        const { status } = await send('PUT', path, { ...live, metadata });
        if (status === 200) return;
        assert.equal(status, 409);
      }
    };
    await Promise.all(finalizers.map(letGo));
    bodyOf(await send('GET', path), 404);
  });

  describe('a write that changes nothing (P18)', () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const deployment: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'same', labels: { a: 'b' } },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      },
    };

    it('keeps the resourceVersion and sends no event: PUT, patches, status and scale', async () => {
      const created = bodyOf(await send('POST', deployments, deployment), 201);
      const path = `${deployments}/same`;
      const watch = readEvents(server, `${deployments}?watch=true&resourceVersion=${versionOf(created)}`);
      await until('the watch is open', () => watch.status === 200);
      const writes: readonly (() => Promise<HttpResponse>)[] = [
        () => send('PUT', path, created),
        () => send('PUT', path, deployment),
        () => send('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch),
        () => send('PATCH', path, [{ op: 'replace', path: '/metadata/labels/a', value: 'b' }], jsonPatch),
        () => send('PUT', `${path}/status`, created),
        () => send('PATCH', `${path}/status`, { status: {} }, mergePatch),
        () => send('PATCH', `${path}/scale`, { spec: { replicas: 1 } }, mergePatch),
      ];
      for (const write of writes) assert.equal(versionOf(bodyOf(await write(), 200)), versionOf(created));
      const changed = bodyOf(await send('PATCH', path, { metadata: { labels: { a: 'c' } } }, mergePatch), 200);
      assert.notEqual(versionOf(changed), versionOf(created));
      await until('the change is told', () => watch.events.length > 0);
      watch.stop();
      assert.deepEqual(
        watch.events.map(({ object }) => object.metadata.resourceVersion),
        [versionOf(changed)],
      );
    });
  });

  describe('dry runs (P22)', () => {
    const apps = '/apis/apps/v1/namespaces/default';
    const pods = '/api/v1/namespaces/default/pods';

    /** The newest revision of the store: that of a list. */
    const revision = async (): Promise<string> => versionOf(await read(configMaps));

    it('move no revision, whatever the verb and the sub-resource', async () => {
      const template = { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
      const spec = { selector: { matchLabels: { app: 'd' } }, template };
      const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'dry' }, spec };
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'dry' }, spec: template.spec };
      const held = { ...configMap('dry-held'), metadata: { name: 'dry-held', finalizers: ['example.com/hold'] } };
      bodyOf(await send('POST', `${apps}/deployments`, deployment), 201);
      bodyOf(await send('POST', pods, pod), 201);
      bodyOf(await send('POST', configMaps, configMap('dry')), 201);
      bodyOf(await send('POST', configMaps, held), 201);
      bodyOf(await send('DELETE', `${configMaps}/dry-held`), 200);
      const lease = { apiVersion: 'coordination.cl.io/v1', kind: 'Lease', metadata: { name: 'dry' }, spec: {} };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'dry' }, target: { name: 'n' } };
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'dry' } };
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'dry' },
        spec: { type: 'NodePort', ports: [{ port: 80 }] },
      };
      const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } };
      const status = { status: { observedGeneration: 1 } };
      const requests: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
        ['POST', configMaps, configMap('dry-new')],
        ['POST', '/api/v1/namespaces/default/services', service],
        ['PUT', `${configMaps}/dry`, configMap('dry', { data: { a: 'b' } })],
        ['PUT', '/apis/coordination.cl.io/v1/namespaces/default/leases/dry', lease],
        ['PUT', `${configMaps}/dry-held`, configMap('dry-held')],
        ['PATCH', `${configMaps}/dry`, { data: { a: 'b' } }, mergePatch],
        ['PATCH', `${configMaps}/dry`, [{ op: 'add', path: '/data', value: { a: 'b' } }], jsonPatch],
        ['PATCH', `${apps}/deployments/dry/status`, status, mergePatch],
        ['PATCH', `${apps}/deployments/dry/scale`, { spec: { replicas: 9 } }, mergePatch],
        ['PATCH', `${pods}/dry/ephemeralcontainers`, debug, mergePatch],
        ['POST', `${pods}/dry/binding`, binding],
        ['POST', '/api/v1/namespaces/default/bindings', binding],
        ['POST', `${pods}/dry/eviction`, eviction],
        ['DELETE', `${configMaps}/dry`, undefined],
        ['DELETE', `${apps}/deployments/dry`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' }],
        ['DELETE', configMaps, undefined],
        ['DELETE', '/api/v1/namespaces/default', undefined],
      ];
      const before = await revision();
      const dry: HttpResponse[] = [];
      for (let round = 0; round < 12; round++) {
        const responses = await Promise.all(
          requests.map(([method, path, body, headers]) => {
            // A body of delete options stands for the whole query.
            const options = method === 'DELETE' && body ? { ...body, dryRun: ['All'] } : body;
            return send(method, `${path}?dryRun=All`, options, headers);
          }),
        );
        dry.push(...responses);
      }
      assert.equal(await revision(), before);
      const refused = dry.filter(({ status: code }) => code !== 200 && code !== 201);
      // The namespace `default` cannot be deleted, in a dry run neither.
      assert.equal(refused.length, 12, refused.map(({ text }) => text).join('\n'));
      assert.equal(objectsAt(await read(`${configMaps}?fieldSelector=metadata.name%3Ddry-new`), 'items').length, 0);
    });
  });
});
