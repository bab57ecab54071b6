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
      const answer = await server.send({
        method: 'POST',
        path: `${namespace}/pods/p/eviction?dryRun=All`,
        headers: { accept: as(shape) },
        body: eviction,
      });
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.at('kind'), 'Status');
      assert.equal(answer.at('status'), 'Success');
    }
  });
});
