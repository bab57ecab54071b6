import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { answer } from '../../unit/outbound/start-tls-server.ts';
import { readEvents, request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import {
  type ConversionWorld,
  convertGear,
  gear,
  gears,
  gearsDefinition,
  group,
  respond,
  respondConverted,
  startConversionWorld,
} from './conversion-world.ts';
import { define, definitions } from './widgets.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

describe('conversion of custom resources by a webhook', () => {
  let world: ConversionWorld;

  beforeEach(async () => {
    world = await startConversionWorld();
    await define(world.server, gearsDefinition(world.hooks));
  });

  afterEach(() => world[Symbol.asyncDispose]());

  const create = async (version: string, name: string, size: number): Promise<JsonObject> => {
    const created = await request(world.server, 'POST', gears(version), gear(version, name, size));
    assert.equal(created.status, 201, created.text);
    return created.body as JsonObject;
  };
  const get = async (path: string): Promise<JsonObject> => {
    const found = await request(world.server, 'GET', path);
    assert.equal(found.status, 200, found.text);
    return found.body as JsonObject;
  };
  const specOf = (object: JsonObject): JsonObject => objectAt(object, 'spec');

  it('keeps the owners of fields who use a version that is no longer served', async () => {
    const path = `${gears('v2', 'kept')}?fieldManager=early`;
    const applied = await request(world.server, 'PATCH', path, gear('v2', 'kept', 2), applyPatch);
    assert.equal(applied.status, 201, applied.text);
    const name = `${definitions}/gears.${group}`;
    const { versions } = specOf(await get(name)) as unknown as { readonly versions: readonly JsonObject[] };
    const unserved = versions.map((one) => (one['name'] === 'v2' ? { ...one, served: false } : one));
    const flipped = await request(world.server, 'PATCH', name, { spec: { versions: unserved } }, mergePatch);
    assert.equal(flipped.status, 200, flipped.text);
    await until('the end of v2', async () => (await request(world.server, 'GET', gears('v2'))).status === 404);
    const changed = { spec: { hue: 'dark' } };
    const updated = await request(world.server, 'PATCH', gears('v1', 'kept'), changed, mergePatch);
    assert.equal(updated.status, 200, updated.text);
    const managers = objectsAt(objectAt(updated.body as JsonObject, 'metadata'), 'managedFields');
    const early = managers.find((one) => one['manager'] === 'early');
    assert.equal(early?.['apiVersion'], `${group}/v2`, JSON.stringify(managers));
    assert.deepEqual(early['fieldsV1'], { 'f:spec': { 'f:width': {} } });
  });

  it('shows an object in another version than the one in which it is stored', async () => {
    await create('v1', 'a', 3);
    const found = await get(gears('v2', 'a'));
    // Pruned by the schema of the version; its defaults are for requests and for the store.
    assert.deepEqual(specOf(found), { color: 'v1', width: 3 });
    assert.equal(found['apiVersion'], `${group}/v2`);
    const [review] = world.seen;
    assert.equal(review?.apiVersion, 'apiextensions.cl.io/v1');
    assert.equal(review.kind, 'ConversionReview');
    assert.equal(review.url, '/convert?timeout=30s');
    assert.equal(review.request.desiredAPIVersion, `${group}/v2`);
    assert.deepEqual(review.request.objects.map(specOf), [{ color: 'v1', size: 3 }]);
    const [sent = {}] = review.request.objects;
    assert.equal(objectAt(sent, 'metadata')['resourceVersion'], undefined);
    assert.deepEqual(review.response, { uid: '', convertedObjects: null, result: { metadata: {} } });
    assert.equal(objectAt(objectAt(found, 'metadata'), 'labels')['from'], 'v1');
  });

  it('stores an object in the storage version, and answers with what is read back', async () => {
    const created = await create('v2', 'a', 4);
    assert.deepEqual(specOf(created), { color: 'v2', width: 4 });
    const reviews = world.seen.length;
    assert.deepEqual(specOf(await get(gears('v1', 'a'))), { color: 'v2', size: 4 });
    assert.equal(world.seen.length, reviews, 'the storage version needs no conversion');
    assert.deepEqual(await get(gears('v2', 'a')), created);
  });

  it('validates in the version of the request', async () => {
    await create('v2', 'a', 50);
    const large = gear('v1', 'b', 50);
    const refused = await request(world.server, 'POST', gears('v1'), large);
    assert.equal(refused.status, 422);
    const { causes } = (refused.body as { details: { causes: { field: string }[] } }).details;
    assert.deepEqual(
      causes.map(({ field }) => field),
      ['spec.size'],
    );
  });

  it('converts each state of an object once, for all readers', async () => {
    await create('v1', 'a', 1);
    await Promise.all(Array.from({ length: 20 }, () => get(gears('v2', 'a'))));
    await get(gears('v2'));
    assert.equal(world.seen.length, 1);
  });

  it('lists objects in order, in batches', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `g${String(index).padStart(3, '0')}`);
    for (const name of names) await create('v1', name, 1);
    const list = await get(gears('v2'));
    assert.deepEqual(objectsAt(list, 'items').map(nameOf), names);
    assert.deepEqual(
      world.seen.map(({ request: { objects } }) => objects.length).toSorted((a, b) => a - b),
      [30, 100],
    );
    // Not its resourceVersion: the server writes objects of its own meanwhile.
    assert.deepEqual((await get(gears('v2')))['items'], list['items']);
    const first = await get(`${gears('v2')}?limit=2`);
    assert.deepEqual(objectsAt(first, 'items').map(nameOf), names.slice(0, 2));
    assert.equal(world.seen.length, 2);
  });

  it('selects by the labels that objects have in the version', async () => {
    await create('v1', 'a', 1);
    await create('v1', 'b', 1);
    await create('v1', 'c', 1);
    const selected = await get(`${gears('v2')}?labelSelector=from%3Dv1&limit=2`);
    assert.deepEqual(objectsAt(selected, 'items').map(nameOf), ['a', 'b']);
    const token = stringAt(objectAt(selected, 'metadata'), 'continue');
    const rest = await get(`${gears('v2')}?labelSelector=from%3Dv1&limit=2&continue=${token}`);
    assert.deepEqual(objectsAt(rest, 'items').map(nameOf), ['c']);
    const none = await get(`${gears('v1')}?labelSelector=from`);
    assert.deepEqual(objectsAt(none, 'items'), []);
  });

  it('watches in the version, with selectors', async () => {
    world.answer = respondConverted((object, apiVersion) => {
      const converted = convertGear(object, apiVersion);
      const { width } = specOf(converted);
      const metadata = { ...objectAt(converted, 'metadata'), labels: { wide: String(Number(width) > 3) } };
      return { ...converted, metadata };
    });
    await create('v1', 'a', 1);
    const watch = readEvents(world.server, `${gears('v2')}?watch=true&labelSelector=wide%3Dtrue`);
    await until('the watch to start', () => watch.status === 200);
    const resize = (size: number) => request(world.server, 'PATCH', gears('v1', 'a'), { spec: { size } }, mergePatch);
    for (const size of [4, 5, 2]) await resize(size);
    await until('three events', () => watch.events.length === 3);
    watch.stop();
    assert.deepEqual(
      watch.events.map(({ type, object }) => [
        type,
        numberAt(objectAt(object as unknown as JsonObject, 'spec'), 'width'),
      ]),
      [
        ['ADDED', 4],
        ['MODIFIED', 5],
        ['DELETED', 5],
      ],
    );
  });

  it('updates, patches, applies and deletes in the version', async () => {
    const created = await create('v2', 'a', 1);
    const updated = await request(world.server, 'PUT', gears('v2', 'a'), { ...created, spec: { width: 2 } });
    assert.equal(updated.status, 200, updated.text);
    assert.deepEqual(specOf(await get(gears('v1', 'a'))), { color: 'v2', size: 2 });
    const patched = await request(world.server, 'PATCH', gears('v2', 'a'), { spec: { width: 3 } }, mergePatch);
    assert.equal(numberAt(specOf(patched.body as JsonObject), 'width'), 3);
    assert.equal(objectAt(patched.body as JsonObject, 'metadata')['generation'], 3);
    const status = await request(
      world.server,
      'PATCH',
      `${gears('v2', 'a')}/status`,
      { status: { ready: 1 } },
      mergePatch,
    );
    assert.deepEqual(objectAt(status.body as JsonObject, 'status'), { ready: 1 });
    const scale = await get(`${gears('v2', 'a')}/scale`);
    assert.deepEqual([specOf(scale), objectAt(scale, 'status')], [{ replicas: 3 }, { replicas: 1 }]);
    const scaled = await request(
      world.server,
      'PATCH',
      `${gears('v2', 'a')}/scale`,
      { spec: { replicas: 4 } },
      mergePatch,
    );
    assert.equal(scaled.status, 200, scaled.text);
    assert.equal(numberAt(specOf(await get(gears('v1', 'a'))), 'size'), 4);
    const deleted = await request(world.server, 'DELETE', gears('v2', 'a'));
    assert.equal(deleted.status, 200, deleted.text);
  });

  it('tracks the owners of fields across versions', async () => {
    const apply = (version: string, manager: string, spec: JsonObject, more = '') =>
      request(
        world.server,
        'PATCH',
        `${gears(version, 'a')}?fieldManager=${manager}${more}`,
        { apiVersion: `${group}/${version}`, kind: 'Gear', metadata: { name: 'a' }, spec },
        applyPatch,
      );
    assert.equal((await apply('v1', 'one', { size: 1, hue: 'x' })).status, 201);
    const conflict = await apply('v2', 'two', { width: 2 });
    assert.equal(conflict.status, 409, conflict.text);
    assert.match(conflict.text, /conflict with \\"one\\" using conversion.example.com\/v1: .spec.width|\.spec\.size/);
    assert.equal((await apply('v2', 'two', { width: 2 }, '&force=true')).status, 200);
    // The first manager has lost its field in its own version, and can take the other away in v2.
    const left = await apply('v2', 'one', { color: 'v1' });
    assert.equal(left.status, 200, left.text);
    assert.deepEqual(specOf(await get(gears('v1', 'a'))), { color: 'v1', size: 2 });
  });

  it('shows admission webhooks the version that they want, and takes their patches in it', async () => {
    const convert = world.hooks.handle;
    const admitted: JsonObject[] = [];
    world.hooks.handle = (asked, response) => {
      if (!asked.url.startsWith('/admit')) return convert(asked, response);
      const { apiVersion, request: review } = JSON.parse(asked.body) as {
        apiVersion: string;
        request: { uid: string; object: JsonObject };
      };
      admitted.push(review.object);
      const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/size', value: 5 }])).toString('base64');
      const allowed = { uid: review.uid, allowed: true, patchType: 'JSONPatch', patch };
      return answer(response, 200, { kind: 'AdmissionReview', apiVersion, response: allowed });
    };
    const { server, ca = '' } = world.hooks.settings;
    const webhook = {
      name: 'gears.example.com',
      rules: [{ operations: ['CREATE'], apiGroups: [group], apiVersions: ['v1'], resources: ['gears'] }],
      clientConfig: { url: `${server}/admit`, caBundle: Buffer.from(ca).toString('base64') },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const configurations = '/apis/admissionregistration.cl.io/v1/mutatingwebhookconfigurations';
    const body = { metadata: { name: 'gears' }, webhooks: [webhook] };
    assert.equal((await request(world.server, 'POST', configurations, body)).status, 201);
    const created = await create('v2', 'a', 2);
    assert.deepEqual(admitted.map(specOf), [{ color: 'v2', size: 2 }]);
    assert.deepEqual(specOf(created), { color: 'v2', width: 5 });
  });

  it('keeps the metadata of objects, but for labels and annotations', async () => {
    world.answer = respondConverted((object, apiVersion) => {
      const converted = convertGear(object, apiVersion);
      const metadata = { ...objectAt(converted, 'metadata'), finalizers: ['a.b/c'], annotations: { a: 'b' } };
      return { ...converted, metadata };
    });
    const { metadata: stored } = await create('v1', 'a', 1);
    const { metadata } = await get(gears('v2', 'a'));
    assert.deepEqual(metadata, { ...(stored as JsonObject), labels: { from: 'v1' }, annotations: { a: 'b' } });
  });

  const broken: readonly (readonly [title: string, answer: ConversionWorld['answer'], message: string])[] = [
    [
      'a refusal',
      (review, response) => respond(review, response, { result: { status: 'Failed', message: 'not today' } }),
      'conversion webhook for conversion.example.com/v1, Kind=Gear failed: not today',
    ],
    [
      'neither success nor a reason',
      (review, response) => respond(review, response, { result: {} }),
      "conversion webhook for conversion.example.com/v1, Kind=Gear failed: response.result.status was '', not 'Success'",
    ],
    [
      'the review of another',
      (review, response) => respond({ ...review, apiVersion: 'other/v1' }, response, {}),
      'conversion webhook for conversion.example.com/v1, Kind=Gear failed: no kind "ConversionReview" is registered for version "other/v1" in scheme "pkg/util/webhook/client.go:71"',
    ],
    [
      'the other version of reviews',
      (review, response) => respond({ ...review, apiVersion: 'apiextensions.cl.io/v1beta1' }, response, {}),
      'conversion webhook for conversion.example.com/v1, Kind=Gear failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion',
    ],
    [
      'no kind',
      (review, response) => respond({ ...review, kind: '', apiVersion: '' }, response, {}),
      'conversion webhook for conversion.example.com/v1, Kind=Gear failed: expected webhook response of apiextensions.cl.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'too few objects',
      (review, response) => respond(review, response, { convertedObjects: [] }),
      'conversion webhook for conversion.example.com/v1, Kind=Gear returned 0 objects, expected 1',
    ],
    [
      'an error',
      (_, response) => void response.writeHead(500).end(),
      'conversion webhook for conversion.example.com/v1, Kind=Gear failed: an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      'another version',
      respondConverted((object) => convertGear(object, `${group}/v3`)),
      'conversion webhook for conversion.example.com/v1, Kind=Gear returned invalid object at index 0: invalid groupVersion (expected conversion.example.com/v2, received conversion.example.com/v3)',
    ],
    [
      'a list in place of an object',
      (review, response) => respond(review, response, { convertedObjects: [[]] }),
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'null in place of an object',
      (review, response) => respond(review, response, { convertedObjects: [null] }),
      'unexpected end of JSON input',
    ],
    [
      'no version',
      (review, response) => respond(review, response, { convertedObjects: [{ apiVersion: 'a/b/c', kind: 'Gear' }] }),
      'Object \'Kind\' is missing in \'{"apiVersion":"a/b/c","kind":"Gear"}\'',
    ],
    [
      'another kind',
      respondConverted((object, apiVersion) => ({ ...convertGear(object, apiVersion), kind: 'Wheel' })),
      'conversion webhook for conversion.example.com/v1, Kind=Gear returned invalid object at index 0: invalid kind (expected Gear, received Wheel)',
    ],
    [
      'another name',
      respondConverted((object, apiVersion) => ({
        ...convertGear(object, apiVersion),
        metadata: { ...objectAt(object, 'metadata'), name: 'b' },
      })),
      'conversion webhook for conversion.example.com/v1, Kind=Gear returned invalid object: must have the same name: a != b',
    ],
    [
      'a label that is no text',
      respondConverted((object, apiVersion) => ({
        ...convertGear(object, apiVersion),
        metadata: { ...objectAt(object, 'metadata'), labels: { a: 1 } },
      })),
      'conversion webhook for conversion.example.com/v1, Kind=Gear returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
  ];
  for (const [title, answered, message] of broken) {
    it(`fails reads of other versions alone if the webhook answers ${title}`, async () => {
      await create('v1', 'a', 1);
      world.answer = answered;
      for (const path of [gears('v2', 'a'), gears('v2')]) {
        const failed = await request(world.server, 'GET', path);
        assert.equal(failed.status, 500);
        const { message: found, reason } = failed.body as { message: string; reason?: string };
        assert.deepEqual([found, reason], [message, undefined]);
      }
      await get(gears('v1'));
      world.answer = undefined;
      await get(gears('v2', 'a'));
    });
  }

  it('serves the storage version while the webhook is down', async () => {
    const stored = await create('v1', 'a', 1);
    await request(world.server, 'PATCH', gears('v2', 'a'), { spec: { color: 'blue' } }, mergePatch);
    const watch = readEvents(world.server, `${gears('v1')}?watch=true&resourceVersion=0`);
    await until('the first event', () => watch.events.length === 1);
    await world.hooks.stop();
    await create('v1', 'b', 1);
    await until('the event of another gear', () =>
      watch.events.some(({ type }, index) => index > 0 && type === 'ADDED'),
    );
    watch.stop();
    const patched = await request(world.server, 'PATCH', gears('v1', 'a'), { spec: { hue: 'x' } }, mergePatch);
    assert.equal(patched.status, 200, patched.text);
    assert.equal(objectsAt(await get(gears('v1')), 'items').length, 2);
    for (const [method, path] of [
      ['GET', gears('v2', 'a')],
      ['GET', gears('v2')],
      ['DELETE', gears('v2', 'a')],
    ] as const) {
      const failed = await request(world.server, method, path);
      assert.equal(failed.status, 500);
      assert.match(
        (failed.body as { message: string }).message,
        /^conversion webhook for conversion.example.com\/v1, Kind=Gear failed: Post "https:.*\?timeout=30s": dial tcp .*: connect: connection refused$/,
      );
    }
    const refused = await request(world.server, 'POST', gears('v2'), gear('v2', 'c', 1));
    assert.match((refused.body as { message: string }).message, /^conversion webhook for conversion.example.com\/v2, /);
    const gone = await request(world.server, 'DELETE', gears('v1', nameOf(stored)));
    assert.equal(gone.status, 200);
    const removed = await request(world.server, 'DELETE', `${definitions}/gears.${group}`);
    assert.equal(removed.status, 200);
    await until('the definition to be gone', async () => {
      return (await request(world.server, 'GET', `${definitions}/gears.${group}`)).status === 404;
    });
  });

  it('reads what is stored in an older version, and rewrites it with the next update', async () => {
    await create('v1', 'a', 1);
    await create('v1', 'b', 2);
    const flipped = gearsDefinition(world.hooks, { stored: 'v2' });
    const path = `${definitions}/gears.${group}`;
    const changed = await request(world.server, 'PATCH', path, { spec: flipped['spec'] }, mergePatch);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(objectAt(changed.body as JsonObject, 'status')['storedVersions'], ['v1', 'v2']);
    const reviews = world.seen.length;
    await until('the new storage version', async () => {
      await get(gears('v2', 'a'));
      return world.seen.length > reviews;
    });
    const before = await get(gears('v2', 'a'));
    assert.deepEqual(specOf(before), { color: 'v1', width: 1 });
    const selected = await get(`${gears('v2')}?labelSelector=from%3Dv1`);
    assert.deepEqual(objectsAt(selected, 'items').map(nameOf), ['a', 'b']);
    const rewritten = await request(world.server, 'PUT', gears('v2', 'a'), before);
    assert.equal(rewritten.status, 200, rewritten.text);
    const version = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'resourceVersion');
    assert.notEqual(version(rewritten.body as JsonObject), version(before));
    await world.hooks.stop();
    assert.deepEqual(specOf(await get(gears('v2', 'a'))), { color: 'v1', width: 1 });
    const left = await request(world.server, 'GET', gears('v2', 'b'));
    assert.equal(left.status, 200, 'its conversion is known');
    const again = await request(world.server, 'PUT', gears('v2', 'a'), rewritten.body);
    assert.equal(version(again.body as JsonObject), version(rewritten.body as JsonObject));
  });

  it('measures conversions', async () => {
    await create('v1', 'a', 1);
    await get(gears('v2', 'a'));
    const metrics = await readMetrics(world.server);
    const labels = `crd_name="gears.${group}",from_version="v1",succeeded="true",to_version="v2"`;
    assert.equal(metrics.get(`apiserver_crd_conversion_webhook_duration_seconds_count{${labels}}`), 1);
    const calls = 'apiserver_conversion_webhook_request_total{failure_type="",result="success"}';
    assert.equal(metrics.get(calls), 1);
  });
});

describe('the client of a conversion webhook', () => {
  it('sends the first version of reviews that both sides know', async () => {
    await using world = await startConversionWorld();
    await define(world.server, gearsDefinition(world.hooks, { reviews: ['v7', 'v1beta1', 'v1'] }));
    world.answer = (review, response) =>
      respondConverted(convertGear)({ ...review, request: { ...review.request, uid: '' } }, response);
    await request(world.server, 'POST', gears('v2'), gear('v2', 'a', 1));
    const found = await request(world.server, 'GET', gears('v2', 'a'));
    assert.equal(found.status, 200, found.text);
    assert.equal(world.seen[0]?.apiVersion, 'apiextensions.cl.io/v1beta1');
  });

  it('calls a Service, by its name', async () => {
    await using world = await startConversionWorld({ serviceResolver: 'cluster-ip' });
    const port = Number(new URL(world.hooks.settings.server).port);
    const service = { metadata: { name: 'gears' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } };
    await request(world.server, 'POST', '/api/v1/namespaces/default/services', service);
    const client = { service: { namespace: 'default', name: 'gears', port, path: '/by-service' } };
    await define(world.server, gearsDefinition(world.hooks, { client }));
    await request(world.server, 'POST', gears('v2'), gear('v2', 'a', 1));
    const found = await request(world.server, 'GET', gears('v2', 'a'));
    assert.equal(found.status, 200, found.text);
    assert.equal(world.seen[0]?.url, '/by-service?timeout=30s');
  });
});
