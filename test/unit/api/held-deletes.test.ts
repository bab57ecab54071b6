import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

const configMaps = '/api/v1/namespaces/ns/configmaps';

describe('a delete that takes away what holds an object', () => {
  let server: Fixture;
  beforeEach(async () => {
    server = await startFixture();
    const metadata = { name: 'held', finalizers: ['orphan'] };
    await server.send({ method: 'POST', path: configMaps, body: { metadata } });
  });
  afterEach(() => server[Symbol.asyncDispose]());
  const remove = (query: string) => server.send({ method: 'DELETE', path: `${configMaps}/held?${query}` });

  for (const query of ['propagationPolicy=Background', 'orphanDependents=false']) {
    it(`answers the object in a dry run with ${query}, and a Status otherwise`, async () => {
      const rehearsed = await remove(`dryRun=All&${query}`);
      assert.equal(rehearsed.status, 200, rehearsed.text);
      assert.equal(rehearsed.at('kind'), 'ConfigMap');
      assert.equal(rehearsed.at('metadata.finalizers'), undefined);
      assert.equal(rehearsed.at('metadata.deletionTimestamp'), undefined);
      const kept = await server.send({ path: `${configMaps}/held` });
      assert.deepEqual(kept.at('metadata.finalizers'), ['orphan']);
      assert.equal((await remove(query)).at('kind'), 'Status');
      assert.equal((await server.send({ path: `${configMaps}/held` })).status, 404);
    });
  }

  it('answers a Pod that it ends with what held it', async () => {
    const path = '/api/v1/namespaces/ns/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.send({ method: 'POST', path, body: { metadata: { name: 'p', finalizers: ['orphan'] }, spec } });
    await server.send({ method: 'DELETE', path: `${path}/p` });
    const ended = await server.send({ method: 'DELETE', path: `${path}/p?propagationPolicy=Background` });
    assert.deepEqual(ended.at('metadata.finalizers'), ['orphan']);
    assert.equal((await server.send({ path: `${path}/p` })).status, 404);
  });

  it('answers a Status in a dry run where nothing was held', async () => {
    await server.configMap('free');
    const response = await server.send({ method: 'DELETE', path: `${configMaps}/free?dryRun=All` });
    assert.equal(response.at('kind'), 'Status');
  });

  it('lets the content of a namespace go first where dependents are not to be orphaned', async () => {
    const path = '/api/v1/namespaces';
    await server.send({
      method: 'POST',
      path,
      body: { metadata: { name: 'n' }, spec: { finalizers: ['kubernetes'] } },
    });
    const response = await server.send({ method: 'DELETE', path: `${path}/n?orphanDependents=false` });
    assert.equal(response.status, 202, response.text);
    assert.deepEqual(response.at('metadata.finalizers'), ['foregroundDeletion']);
  });
});
