import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, readEvents, request } from './http-client.ts';
import { until } from './until.ts';
import { everyVersion } from './every-version.ts';

const ingresses = '/apis/networking.cl.io/v1/namespaces/default/ingresses';
const everywhere = '/apis/networking.cl.io/v1/ingresses';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

const ingress = (name: string, service = 'web'): object => ({
  apiVersion: 'networking.cl.io/v1',
  kind: 'Ingress',
  metadata: { name, labels: { app: name } },
  spec: {
    rules: [
      {
        host: 'shop.example.com',
        http: {
          paths: [{ path: '/cart', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } }],
        },
      },
    ],
  },
});

interface IngressBody {
  readonly kind: string;
  readonly status: unknown;
  readonly spec: {
    readonly ingressClassName?: string;
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly { readonly backend: { readonly service: { readonly name: string } } }[];
      };
    }[];
  };
  readonly metadata: { readonly name: string; readonly generation: number; readonly resourceVersion: string };
  readonly items: readonly IngressBody[];
}

/** The body of an answer whose status is as expected. */
function bodyOf(response: HttpResponse, status: number): IngressBody {
  assert.equal(response.status, status, response.text);
  // The assertions of each story look at what they use.
  return response.body as IngressBody;
}

const addressed = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };

describe('operations on ingresses (spec 4.3)', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ ...everyVersion, store: 'memory' });
  });
  after(() => server.stop());

  it('creates: POST answers 201 and the ingress', async () => {
    const body = bodyOf(await request(server, 'POST', ingresses, ingress('created')), 201);
    assert.equal(body.kind, 'Ingress');
    assert.equal(body.metadata.generation, 1);
    assert.deepEqual(body.status, { loadBalancer: {} });
  });

  it('gets: GET answers 200 and what was created', async () => {
    const created = bodyOf(await request(server, 'POST', ingresses, ingress('read')), 201);
    assert.deepEqual(bodyOf(await request(server, 'GET', `${ingresses}/read?pretty=true`), 200), created);
  });

  it('gets the status: GET of the sub-resource answers the whole ingress', async () => {
    const created = bodyOf(await request(server, 'POST', ingresses, ingress('read-status')), 201);
    assert.deepEqual(bodyOf(await request(server, 'GET', `${ingresses}/read-status/status`), 200), created);
  });

  it('lists a namespace and all namespaces, by labels and fields', async () => {
    await request(server, 'POST', ingresses, ingress('listed'));
    for (const path of [ingresses, everywhere]) {
      const byLabel = bodyOf(await request(server, 'GET', `${path}?labelSelector=app%3Dlisted`), 200);
      assert.equal(byLabel.kind, 'IngressList');
      assert.deepEqual(
        byLabel.items.map((item) => item.metadata.name),
        ['listed'],
      );
      const byField = bodyOf(await request(server, 'GET', `${path}?fieldSelector=metadata.name%3Dlisted`), 200);
      assert.equal(byField.items.length, 1);
    }
    assert.equal(bodyOf(await request(server, 'GET', `${ingresses}?limit=1`), 200).items.length, 1);
  });

  it('watches: a change arrives as an event', async () => {
    const { metadata } = bodyOf(await request(server, 'POST', ingresses, ingress('watched')), 201);
    const watch = readEvents(server, `${ingresses}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    try {
      await request(server, 'PATCH', `${ingresses}/watched`, { spec: { ingressClassName: 'x' } }, mergePatch);
      await until('the change', () => watch.events.length > 0);
      assert.equal(watch.events[0]?.type, 'MODIFIED');
      assert.equal(watch.events[0]?.object.metadata.name, 'watched');
    } finally {
      watch.stop();
    }
  });

  it('updates: PUT answers 200, raises the generation and leaves the status', async () => {
    await request(server, 'POST', ingresses, ingress('updated'));
    const body = bodyOf(
      await request(server, 'PUT', `${ingresses}/updated`, { ...ingress('updated', 'shop'), ...addressed }),
      200,
    );
    assert.equal(body.spec.rules[0]?.http.paths[0]?.backend.service.name, 'shop');
    assert.equal(body.metadata.generation, 2);
    assert.deepEqual(body.status, { loadBalancer: {} });
  });

  it('refuses to update what was updated since: 409', async () => {
    const { metadata } = bodyOf(await request(server, 'POST', ingresses, ingress('contested')), 201);
    await request(server, 'PUT', `${ingresses}/contested`, ingress('contested', 'first'));
    const stale = {
      ...ingress('contested', 'second'),
      metadata: { name: 'contested', resourceVersion: metadata.resourceVersion },
    };
    assert.equal((await request(server, 'PUT', `${ingresses}/contested`, stale)).status, 409);
  });

  it('updates the status: PUT of the sub-resource leaves the spec', async () => {
    await request(server, 'POST', ingresses, ingress('addressed'));
    const sent = { ...ingress('addressed', 'other'), ...addressed };
    const body = bodyOf(await request(server, 'PUT', `${ingresses}/addressed/status`, sent), 200);
    assert.deepEqual(body.status, addressed.status);
    assert.equal(body.spec.rules[0]?.http.paths[0]?.backend.service.name, 'web');
    assert.equal(body.metadata.generation, 1);
  });

  it('patches: both kinds of JSON patch answer 200', async () => {
    await request(server, 'POST', ingresses, ingress('patched'));
    const merged = await request(
      server,
      'PATCH',
      `${ingresses}/patched`,
      { spec: { ingressClassName: 'a' } },
      mergePatch,
    );
    assert.equal(bodyOf(merged, 200).spec.ingressClassName, 'a');
    const operations = [{ op: 'replace', path: '/spec/ingressClassName', value: 'b' }];
    const replaced = await request(server, 'PATCH', `${ingresses}/patched`, operations, jsonPatch);
    assert.equal(bodyOf(replaced, 200).spec.ingressClassName, 'b');
  });

  it('patches the status', async () => {
    await request(server, 'POST', ingresses, ingress('patched-status'));
    const body = bodyOf(
      await request(server, 'PATCH', `${ingresses}/patched-status/status`, addressed, mergePatch),
      200,
    );
    assert.deepEqual(body.status, addressed.status);
  });

  it('deletes: DELETE answers 200 and a Status', async () => {
    await request(server, 'POST', ingresses, ingress('deleted'));
    const body = bodyOf(await request(server, 'DELETE', `${ingresses}/deleted`, { gracePeriodSeconds: 0 }), 200);
    assert.equal(body.kind, 'Status');
    assert.equal((await request(server, 'GET', `${ingresses}/deleted`)).status, 404);
  });

  it('deletes a collection: only what is selected', async () => {
    await request(server, 'POST', ingresses, ingress('kept'));
    await request(server, 'POST', ingresses, ingress('swept'));
    bodyOf(await request(server, 'DELETE', `${ingresses}?labelSelector=app%3Dswept`), 200);
    assert.equal((await request(server, 'GET', `${ingresses}/swept`)).status, 404);
    assert.equal((await request(server, 'GET', `${ingresses}/kept`)).status, 200);
  });

  it('serves what was written as v1 to clients of the beta versions, and the reverse (spec 9.3)', async () => {
    const beta = {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'old' },
      spec: { backend: { serviceName: 'web', servicePort: 'http' } },
    };
    bodyOf(await request(server, 'POST', '/apis/extensions/v1beta1/namespaces/default/ingresses', beta), 201);
    const stable = bodyOf(await request(server, 'GET', `${ingresses}/old`), 200);
    assert.deepEqual(stable.spec, { defaultBackend: { service: { name: 'web', port: { name: 'http' } } } });
    const read = await request(server, 'GET', '/apis/networking.cl.io/v1beta1/namespaces/default/ingresses/old');
    assert.deepEqual(bodyOf(read, 200).spec, beta.spec);
  });

  it('says everything that is wrong at once: 422', async () => {
    const wrong = {
      ...ingress('wrong'),
      spec: {
        rules: [
          { host: 'Shop', http: { paths: [{ path: 'x', pathType: 'Exact', backend: {} }] } },
          { host: '192.0.2.1', http: { paths: [] } },
        ],
        tls: [{ hosts: ['*.*.example.com'] }],
      },
    };
    const response = await request(server, 'POST', ingresses, wrong);
    assert.equal(response.status, 422, response.text);
    // Answers of this status are Statuses with causes.
    const { details } = response.body as { details: { causes: { field: string }[] } };
    assert.deepEqual(
      details.causes.map((cause) => cause.field),
      [
        // The schema's error comes first.
        'spec.rules[1].http.paths',
        'spec.rules[0].host',
        'spec.rules[0].http.paths[0].path',
        'spec.rules[0].http.paths[0].backend',
        'spec.rules[1].host',
        'spec.tls[0].hosts[0]',
      ],
    );
  });

  it('leaves a secret with any name that an older version stored, also where v1 changes it', async () => {
    const older = ingresses.replace('/v1/', '/v1beta1/');
    const spec = { backend: { serviceName: 'web', servicePort: 80 }, tls: [{ secretName: '-' }] };
    bodyOf(await request(server, 'POST', older, { metadata: { name: 'older' }, spec }), 201);
    const change = { spec: { tls: [{ secretName: '--' }] } };
    bodyOf(await request(server, 'PATCH', `${ingresses}/older`, change, mergePatch), 200);
    const valid = bodyOf(await request(server, 'POST', ingresses, ingress('newer')), 201);
    const refused = await request(server, 'PATCH', `${ingresses}/${valid.metadata.name}`, change, mergePatch);
    assert.equal(refused.status, 422);
  });

  it('answers 401 to a wrong token, on every operation', async () => {
    const wrong = { ...server, token: 'wrong' };
    const calls: readonly (readonly [string, string, object?])[] = [
      ['GET', ingresses],
      ['GET', `${ingresses}/read`],
      ['GET', `${ingresses}/read/status`],
      ['GET', everywhere],
      ['POST', ingresses, ingress('refused')],
      ['PUT', `${ingresses}/read`, ingress('read')],
      ['PUT', `${ingresses}/read/status`, ingress('read')],
      ['PATCH', `${ingresses}/read`, {}],
      ['PATCH', `${ingresses}/read/status`, {}],
      ['DELETE', `${ingresses}/read`],
      ['DELETE', ingresses],
    ];
    for (const [method, path, body] of calls) {
      assert.equal((await request(wrong, method, path, body)).status, 401, `${method} ${path}`);
    }
  });
});
