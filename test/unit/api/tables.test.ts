import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { type Fixture, startFixture } from './fixture.ts';

const as = (shape: string) => `application/json;as=${shape};g=meta.k8s.io;v=v1`;
const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const namespace = '/api/v1/namespaces/default';
const deployment = '/apis/apps/v1/namespaces/default/deployments/web';

describe('Tables and metadata', () => {
  let server: Fixture;

  before(async () => {
    const group = 'authorization.k8s.io';
    const virtual = new Map([[`${group}/selfsubjectaccessreviews`, async (_: unknown, object: JsonObject) => object]]);
    server = await startFixture({ virtual });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.send({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: { metadata: { name: 'web' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  const requests: readonly [
    title: string,
    status: number,
    request: { path: string; method?: string; body?: object },
  ][] = [
    ['a sub-resource with the kind of its parent', 200, { path: `${deployment}/status` }],
    ['a sub-resource with a kind of its own', 200, { path: `${deployment}/scale` }],
    ['a review', 201, { path: review, method: 'POST', body: { spec } }],
  ];
  for (const [title, status, request] of requests) {
    it(`of ${title} is metadata, never a Table`, async () => {
      const table = await server.send({ ...request, headers: { accept: as('Table') } });
      assert.equal(table.status, 406);
      assert.match(String(table.at('message')), /^only the following media types are accepted: /);
      const either = await server.send({ ...request, headers: { accept: `${as('Table')},application/json` } });
      assert.equal(either.status, status);
      assert.notEqual(either.at('kind'), 'Table');
      const metadata = await server.send({ ...request, headers: { accept: as('PartialObjectMetadata') } });
      assert.equal(metadata.status, status);
      assert.equal(metadata.at('kind'), 'PartialObjectMetadata');
    });
  }

  it('name the kind of a sub-resource that is not a list', async () => {
    const headers = { accept: as('PartialObjectMetadataList') };
    const refused = await server.send({ path: `${deployment}/scale`, headers });
    assert.equal(refused.status, 406);
    assert.match(String(refused.at('message')), /the requested object is not a list \(\*autoscaling\.Scale\)$/);
  });

  it('are not made of the Status that a sub-resource answers', async () => {
    const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.send({ method: 'POST', path: `${namespace}/pods`, body });
    for (const shape of ['PartialObjectMetadata', 'PartialObjectMetadataList']) {
      const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'p' } };
      const response = await server.send({
        method: 'POST',
        path: `${namespace}/pods/p/eviction?dryRun=All`,
        headers: { accept: as(shape) },
        body: eviction,
      });
      assert.equal(response.status, 201, response.text);
      assert.equal(response.at('kind'), 'Status');
      assert.equal(response.at('status'), 'Success');
    }
  });

  describe('of lists', () => {
    const annotations = { 'example.com/a': '"}{\\', managedFields: '\u00e4\u{1f600}' };
    const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
    const lists = [
      '/api/v1/namespaces/default/secrets',
      ingresses,
      '/apis/networking.k8s.io/v1beta1/namespaces/default/ingresses',
      '/apis/extensions/v1beta1/namespaces/default/ingresses',
    ];
    const names = ['a', 'b', 'c'];

    before(async () => {
      const ingressSpec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
      for (const name of names) {
        const metadata = { name, annotations };
        const creations = [
          { path: '/api/v1/namespaces/default/secrets', body: { metadata } },
          { path: ingresses, body: { metadata, spec: ingressSpec } },
        ];
        for (const request of creations) {
          const created = await server.send({ method: 'POST', ...request });
          assert.equal(created.status, 201, created.text);
        }
      }
    });

    for (const path of lists) {
      it(`are those of the objects: ${path}`, async () => {
        const whole = (await server.send({ path })).at('items') as JsonObject[];
        assert.equal(whole.length, names.length);
        const headers = { accept: as('PartialObjectMetadataList') };
        const partial = await server.send({ path, headers });
        const type = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
        assert.deepEqual(
          partial.at('items'),
          whole.map(({ metadata }) => ({ ...type, metadata })),
        );
        const pretty = await server.send({ path: `${path}?pretty=true`, headers });
        assert.equal(pretty.text, JSON.stringify(partial.json(), null, 2));
      });

      for (const include of ['None', 'Metadata', 'Object']) {
        it(`have the rows of the objects with ${include}: ${path}`, async () => {
          const tableAt = async (place: string) =>
            server.send({ path: `${place}?includeObject=${include}`, headers: { accept: as('Table') } });
          const list = await tableAt(path);
          const singles = await Promise.all(names.map((name) => tableAt(`${path}/${name}`)));
          assert.deepEqual(withoutAges(list.at('rows')), withoutAges(singles.map((single) => single.at('rows.0'))));
        });
      }
    }

    it('are cached in other formats apart from whole objects, and apart for each version', async () => {
      const path = '/api/v1/namespaces/default/secrets/a';
      const get = async (accept: string) => (await server.send({ path, headers: { accept } })).bytes.toString('hex');
      const protobuf = 'application/vnd.kubernetes.protobuf';
      const partial = (version: string) => `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=${version}`;
      const accepts = [partial('v1'), partial('v1beta1'), protobuf];
      const first = await Promise.all(accepts.map(get));
      assert.equal(new Set(first).size, accepts.length);
      assert.deepEqual(await Promise.all(accepts.map(get)), first);
    });
  });
});

/** The requests may be in different seconds. */
function withoutAges(rows: unknown): unknown {
  return JSON.parse(JSON.stringify(rows).replaceAll(/"\d+s"/g, '"age"'));
}
