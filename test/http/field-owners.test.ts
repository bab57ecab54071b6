import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { getMeta } from '../../src/meta/object-meta.ts';
import { objectAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const daemonSets = '/apis/apps/v1/namespaces/default/daemonsets';
const configMaps = '/api/v1/namespaces/default/configmaps';
const types = { apply: 'application/apply-patch+yaml', merge: 'application/merge-patch+json' } as const;
const generation = 'deprecated.daemonset.template.generation';

describe('who owns what the server has its own mind about', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  async function send(method: string, path: string, manager: string, body?: JsonObject, type?: keyof typeof types) {
    const headers: Record<string, string> = type ? { 'content-type': types[type] } : {};
    const response = await request(server, method, `${path}?fieldManager=${manager}`, body, headers);
    assert.ok(response.status === 200 || response.status === 201, response.text);
    // Every answer of 200 or 201 here is an object.
    return response.body as JsonObject;
  }

  /** What each manager owns at a path, by its steps in FieldsV1. */
  function ownersAt(object: JsonObject, ...path: readonly string[]): Readonly<Record<string, JsonValue>> {
    const list = getMeta(object, 'managedFields');
    const entries = Array.isArray(list) ? list.filter(isJsonObject) : [];
    const owned = entries.flatMap((entry): [string, JsonValue][] => {
      const fields = path.reduce<JsonValue | undefined>(
        (value, step) => (isJsonObject(value) ? value[step] : undefined),
        entry['fieldsV1'],
      );
      return fields === undefined ? [] : [[stringAt(entry, 'manager'), fields]];
    });
    return Object.fromEntries(owned);
  }

  const template = (image: string): JsonObject => ({
    metadata: { labels: { app: 'x' } },
    spec: { containers: [{ name: 'c', image }] },
  });
  const daemonSet = (name: string, metadata: JsonObject = {}, image = 'i'): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, ...metadata },
    spec: { selector: { matchLabels: { app: 'x' } }, template: template(image) },
  });
  const generationOf = (object: JsonObject): string =>
    stringAt(objectAt(object, 'metadata', 'annotations'), generation);
  const generationOwners = (object: JsonObject): string[] =>
    Object.keys(ownersAt(object, 'f:metadata', 'f:annotations', `f:${generation}`));

  it('keeps the version of each manager, and compares in it what writes of other versions change', async () => {
    const path = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const autoscaler = {
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        minReplicas: 2,
        targetCPUUtilizationPercentage: 50,
      },
    };
    const versioned = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', ...autoscaler };
    await send('PATCH', `${path('v1')}/a`, 'first', versioned, 'apply');
    const read = async (version: string): Promise<readonly [JsonValue, Readonly<Record<string, JsonValue>>][]> => {
      const object = (await request(server, 'GET', `${path(version)}/a`)).body as JsonObject;
      const list = getMeta(object, 'managedFields');
      return (Array.isArray(list) ? list.filter(isJsonObject) : []).map((entry) => [
        [stringAt(entry, 'manager'), stringAt(entry, 'apiVersion')],
        objectAt(entry, 'fieldsV1', 'f:spec') as Readonly<Record<string, JsonValue>>,
      ]);
    };
    const whole = ['f:maxReplicas', 'f:minReplicas', 'f:scaleTargetRef', 'f:targetCPUUtilizationPercentage'];
    for (const version of ['v1', 'v2', 'v2beta1']) {
      assert.deepEqual(namesOf(await read(version)), [[['first', 'autoscaling/v1'], whole]], version);
    }
    // The same target as a metric: another manager takes it, and the number of replicas, in its own version.
    const target = { type: 'Utilization', averageUtilization: 70 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    await send('PATCH', `${path('v2')}/a`, 'second', { spec: { minReplicas: 1, metrics } }, 'merge');
    for (const version of ['v1', 'v2', 'v2beta1']) {
      assert.deepEqual(
        namesOf(await read(version)),
        [
          [
            ['first', 'autoscaling/v1'],
            ['f:maxReplicas', 'f:scaleTargetRef'],
          ],
          [
            ['second', 'autoscaling/v2'],
            ['f:metrics', 'f:minReplicas'],
          ],
        ],
        version,
      );
    }
    function namesOf(entries: Awaited<ReturnType<typeof read>>): unknown[] {
      return entries.map(([manager, fields]) => [manager, Object.keys(fields).toSorted()]);
    }
  });

  it('gives the template generation of a DaemonSet to its creator, who may begin with any', async () => {
    const made = await send(
      'POST',
      daemonSets,
      'creator',
      daemonSet('numbered', { annotations: { [generation]: '5' } }),
    );
    assert.deepEqual([generationOf(made), generationOwners(made)], ['5', ['creator']]);
    const plain = await send('POST', daemonSets, 'creator', daemonSet('plain'));
    assert.deepEqual([generationOf(plain), generationOwners(plain)], ['1', ['creator']]);
  });

  it('keeps the template generation, and raises it with the template', async () => {
    const path = `${daemonSets}/kept`;
    await send('POST', daemonSets, 'creator', daemonSet('kept'));
    const annotations = { [generation]: '7' };
    assert.equal(generationOf(await send('PUT', path, 'writer', daemonSet('kept', { annotations }))), '1');
    assert.equal(generationOf(await send('PUT', path, 'writer', daemonSet('kept', {}, 'j'))), '2');
  });

  it('keeps the template generation in a write to the status', async () => {
    const path = `${daemonSets}/reported`;
    await send('POST', daemonSets, 'creator', daemonSet('reported'));
    const left = await send('PUT', `${path}/status`, 'reporter', daemonSet('reported'));
    assert.deepEqual([generationOf(left), generationOwners(left)], ['1', ['reporter']]);
    const annotations = { [generation]: '9', note: 'x' };
    const patched = await send('PATCH', `${path}/status`, 'reporter', { metadata: { annotations } }, 'merge');
    assert.deepEqual(objectAt(patched, 'metadata', 'annotations'), { [generation]: '1', note: 'x' });
  });

  it('refuses a template generation that is no number', async () => {
    const body = daemonSet('malformed', { annotations: { [generation]: 'abc' } });
    const response = await request(server, 'POST', daemonSets, body);
    assert.equal(response.status, 400);
    assert.match(response.text, /strconv\.ParseInt: parsing \\"abc\\": invalid syntax/);
  });

  it('leaves the status to its writers in a write to the object without it', async () => {
    await send('POST', daemonSets, 'creator', daemonSet('two-writers'));
    const path = `${daemonSets}/two-writers`;
    await send('PATCH', `${path}/status`, 'reporter', { status: { numberReady: 1 } }, 'merge');
    const updated = await send('PUT', path, 'writer', daemonSet('two-writers', { labels: { l: '1' } }));
    assert.deepEqual(ownersAt(updated, 'f:status'), { reporter: { 'f:numberReady': {} } });
    assert.equal(objectAt(updated, 'status')['numberReady'], 1);
  });

  it('leaves the spec to its writers in a write to the status with another', async () => {
    await send('POST', daemonSets, 'creator', daemonSet('other-spec'));
    const body = daemonSet('other-spec', {}, 'another');
    const written = await send('PUT', `${daemonSets}/other-spec/status`, 'reporter', body);
    assert.deepEqual(Object.keys(ownersAt(written, 'f:spec', 'f:template')), ['creator']);
  });

  for (const [name, method, path, type] of [
    ['a create', 'POST', configMaps, undefined],
    ['an apply', 'PATCH', `${configMaps}/deleted-an-apply`, 'apply'],
  ] as const) {
    it(`notes who said that a new object is being deleted, which it is not: ${name}`, async () => {
      const metadata = { name: `deleted-${name.replace(' ', '-')}`, deletionTimestamp: '2020-01-01T00:00:00Z' };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      const object = await send(method, path, 'me', body, type);
      assert.deepEqual(ownersAt(object, 'f:metadata'), { me: { 'f:deletionTimestamp': {} } });
      assert.equal(getMeta(object, 'deletionTimestamp'), undefined);
    });
  }
});
