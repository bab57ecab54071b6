import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, readEvents, request } from './http-client.ts';
import { runAll } from './reads/world.ts';
import { until } from './until.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

const configMap = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

const pod = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }] },
});

/** The body of an answer whose status is as expected. */
function bodyOf(response: HttpResponse, status: number): JsonObject {
  assert.equal(response.status, status, response.text);
  // Every answer here is a JSON document; each story looks at what it uses.
  return response.body as JsonObject;
}

const metadataOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata');

describe('deletion', () => {
  let server: TestServer;
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);
  const created = async (path: string, object: JsonObject) => bodyOf(await send('POST', path, object), 201);

  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  it('rehearses the removal of the last finalizer of a pod on no node, in the response alone', async () => {
    const { spec: _, ...rest } = pod('rehearsed');
    await created(pods, { ...rest, spec: { containers: [{ name: 'main', image: 'nginx' }] } });
    await send('DELETE', `${pods}/rehearsed`, { propagationPolicy: 'Orphan' });
    const remove = { propagationPolicy: 'Background' };
    const rehearsed = bodyOf(await send('DELETE', `${pods}/rehearsed`, { ...remove, dryRun: ['All'] }), 200);
    assert.equal(metadataOf(rehearsed)['finalizers'], undefined);
    const left = bodyOf(await send('GET', `${pods}/rehearsed`), 200);
    assert.deepEqual(metadataOf(left)['finalizers'], ['orphan']);
    const removed = bodyOf(await send('DELETE', `${pods}/rehearsed`, remove), 200);
    assert.deepEqual(metadataOf(removed)['finalizers'], ['orphan']);
    assert.equal((await send('GET', `${pods}/rehearsed`)).status, 404);
  });

  describe('of a pod on a node', () => {
    it('gives it time, shortens that when asked, and ends at once with a period of 0', async () => {
      await created(pods, pod('graceful'));
      const first = bodyOf(await send('DELETE', `${pods}/graceful`), 200);
      assert.equal(first['kind'], 'Pod');
      assert.equal(metadataOf(first)['deletionGracePeriodSeconds'], 30);
      const longer = bodyOf(await send('DELETE', `${pods}/graceful?gracePeriodSeconds=60`), 200);
      assert.deepEqual(metadataOf(longer), metadataOf(first));
      const shorter = bodyOf(await send('DELETE', `${pods}/graceful?gracePeriodSeconds=5`), 200);
      assert.equal(metadataOf(shorter)['deletionGracePeriodSeconds'], 5);
      const earlier =
        Date.parse(stringAt(metadataOf(first), 'deletionTimestamp')) -
        Date.parse(stringAt(metadataOf(shorter), 'deletionTimestamp'));
      assert.equal(earlier, 25_000);
      const last = bodyOf(await send('DELETE', `${pods}/graceful?gracePeriodSeconds=0`), 200);
      assert.equal(last['kind'], 'Pod');
      assert.equal(metadataOf(last)['deletionGracePeriodSeconds'], 0);
      bodyOf(await send('GET', `${pods}/graceful`), 404);
      bodyOf(await send('DELETE', `${pods}/graceful`), 404);
    });

    it('gives a pod whose own period is 0 the time that is asked for', async () => {
      const hasty = pod('hasty');
      await created(pods, { ...hasty, spec: { ...objectAt(hasty, 'spec'), terminationGracePeriodSeconds: 0 } });
      const first = bodyOf(await send('DELETE', `${pods}/hasty?gracePeriodSeconds=5`), 200);
      assert.equal(metadataOf(first)['deletionGracePeriodSeconds'], 5);
      bodyOf(await send('GET', `${pods}/hasty`), 200);
      bodyOf(await send('DELETE', `${pods}/hasty?gracePeriodSeconds=0`), 200);
      bodyOf(await send('GET', `${pods}/hasty`), 404);
    });

    it('waits for its finalizers even with a period of 0, and goes with the last of them', async () => {
      await created(pods, pod('held', { finalizers: ['example.com/hold'] }));
      bodyOf(await send('DELETE', `${pods}/held?gracePeriodSeconds=0`), 200);
      const held = bodyOf(await send('GET', `${pods}/held`), 200);
      assert.equal(metadataOf(held)['deletionGracePeriodSeconds'], 0);
      bodyOf(await send('PATCH', `${pods}/held`, { metadata: { finalizers: null } }, mergePatch), 200);
      bodyOf(await send('GET', `${pods}/held`), 404);
    });
  });

  describe('and dependents', () => {
    const replicationControllers = '/api/v1/namespaces/default/replicationcontrollers';
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
    const rows: readonly (readonly [path: string, object: JsonObject, finalizers: readonly string[] | undefined])[] = [
      [
        replicationControllers,
        { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'd' }, spec: { template } },
        ['orphan'],
      ],
      [
        jobs,
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: 'd' },
          spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
        },
        ['orphan'],
      ],
      [configMaps, configMap('d'), undefined],
    ];
    for (const [path, object, finalizers] of rows) {
      it(`have the default of ${stringAt(object, 'kind')}, which a policy overrides`, async () => {
        await created(path, object);
        bodyOf(await send('DELETE', `${path}/d`), 200);
        const left = await send('GET', `${path}/d`);
        if (finalizers) assert.deepEqual(stringsAt(metadataOf(bodyOf(left, 200)), 'finalizers'), finalizers);
        bodyOf(await send('DELETE', `${path}/d?propagationPolicy=Background`), finalizers ? 200 : 404);
        bodyOf(await send('GET', `${path}/d`), 404);
      });
    }

    it('are nothing to an Event, which takes no policy', async () => {
      const events = '/api/v1/namespaces/default/events';
      const involvedObject = { kind: 'Pod', namespace: 'default', name: 'a' };
      await created(events, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject });
      bodyOf(await send('DELETE', `${events}/e?propagationPolicy=Foreground`), 200);
      bodyOf(await send('GET', `${events}/e`), 404);
    });
  });

  describe('of a collection', () => {
    const makeMany = (prefix: string, count: number): Promise<unknown> => {
      const makeOne = async (index: number): Promise<void> => {
        const labels = { set: prefix, odd: String(index % 2) };
        await created(configMaps, configMap(`${prefix}-${index}`, { labels }));
      };
      const tasks = Array.from({ length: count }, (_, index) => () => makeOne(index));
      // Each at the same time would have a connection of its own.
      return runAll(tasks, 20);
    };
    const left = async (prefix: string): Promise<number> =>
      objectsAt(bodyOf(await send('GET', `${configMaps}?labelSelector=set%3D${prefix}`), 200), 'items').length;

    it('takes what labels and fields select, page after page', async () => {
      await makeMany('many', 540);
      const odd = bodyOf(await send('DELETE', `${configMaps}?labelSelector=set%3Dmany,odd%3D1`), 200);
      assert.equal(odd['kind'], 'ConfigMapList');
      assert.equal(objectsAt(odd, 'items').length, 270);
      assert.equal(await left('many'), 270);
      bodyOf(await send('DELETE', `${configMaps}?labelSelector=set%3Dmany&fieldSelector=metadata.name%3Dmany-0`), 200);
      assert.equal(await left('many'), 269);
      bodyOf(await send('DELETE', `${configMaps}?labelSelector=set%3Dmany`), 200);
      assert.equal(await left('many'), 0);
    });

    it('stops at a limit and says where to go on', async () => {
      await makeMany('some', 10);
      const page = bodyOf(await send('DELETE', `${configMaps}?labelSelector=set%3Dsome&limit=4`), 200);
      assert.equal(objectsAt(page, 'items').length, 4);
      assert.notEqual(stringAt(metadataOf(page), 'continue'), '');
      assert.equal(await left('some'), 6);
    });

    it('leaves what is held, marked, and what others deleted first is no error', async () => {
      await created(configMaps, configMap('kept', { labels: { set: 'mixed' }, finalizers: ['example.com/hold'] }));
      await makeMany('mixed', 20);
      const path = `${configMaps}?labelSelector=set%3Dmixed`;
      const responses = await Promise.all(Array.from({ length: 4 }, () => send('DELETE', path)));
      for (const response of responses) assert.equal(response.status, 200, response.text);
      const items = objectsAt(bodyOf(await send('GET', path), 200), 'items');
      assert.deepEqual(
        items.map((item) => metadataOf(item)['name']),
        ['kept'],
      );
      assert.ok(items.every((item) => stringAt(metadataOf(item), 'deletionTimestamp') !== ''));
    });

    it('is not there for kinds that must be deleted one by one', async () => {
      for (const path of ['/api/v1/namespaces', '/api/v1/namespaces/default/services']) {
        bodyOf(await send('DELETE', path), 405);
      }
    });
  });

  describe('of a namespace', () => {
    it('begins with Terminating and lets nobody in who sees that (F48)', async () => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'racing' } };
      await created('/api/v1/namespaces', namespace);
      const inside = '/api/v1/namespaces/racing/configmaps';
      const watch = readEvents(server, '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Dracing');
      let number = 0;
      let deleted = false;
      const statuses: number[] = [];
      const create = async (): Promise<void> => {
        for (let refusals = 0; refusals < 3; ) {
          // Whoever has seen the answer to the delete before it asks must be refused.
          const known = deleted;
          const response = await send('POST', inside, configMap(`c-${++number}`));
          statuses.push(response.status);
          if (response.status === 201) assert.ok(!known, 'created in a namespace that was seen Terminating');
          else {
            refusals++;
            const body = bodyOf(response, 403);
            assert.deepEqual(objectsAt(objectAt(body, 'details'), 'causes'), [
              {
                reason: 'NamespaceTerminating',
                message: 'namespace racing is being terminated',
                field: 'metadata.namespace',
              },
            ]);
          }
        }
      };
      const creators = Array.from({ length: 50 }, create);
      await until('some are created', () => statuses.filter((status) => status === 201).length > 100);
      const response = bodyOf(await send('DELETE', '/api/v1/namespaces/racing'), 200);
      deleted = true;
      assert.equal(stringAt(objectAt(response, 'status'), 'phase'), 'Terminating');
      await Promise.all(creators);
      const again = bodyOf(await send('DELETE', '/api/v1/namespaces/racing'), 200);
      assert.equal(metadataOf(again)['deletionTimestamp'], metadataOf(response)['deletionTimestamp']);
      const created403 = await send('POST', inside, configMap('late'));
      assert.equal(created403.status, 403);
      // What the namespace controller does: empty it, then let it go.
      bodyOf(await send('DELETE', inside), 200);
      assert.equal(objectsAt(bodyOf(await send('GET', inside), 200), 'items').length, 0);
      const live = bodyOf(await send('GET', '/api/v1/namespaces/racing'), 200);
      bodyOf(await send('PUT', '/api/v1/namespaces/racing/finalize', { ...live, spec: { finalizers: [] } }), 200);
      bodyOf(await send('GET', '/api/v1/namespaces/racing'), 404);
      await until('the watch has told the end', () => watch.events.at(-1)?.type === 'DELETED');
      watch.stop();
    });

    it('answers 404 for what is inside once it is gone', async () => {
      bodyOf(await send('POST', '/api/v1/namespaces/racing/configmaps', configMap('late')), 404);
    });
  });
});
