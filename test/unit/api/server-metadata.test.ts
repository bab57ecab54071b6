import assert from 'node:assert/strict';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { everyVersion } from '../../../src/catalogue/served-definitions.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type Fixture, startFixture } from './fixture.ts';

const configMaps = '/api/v1/namespaces/ns/configmaps';

describe('metadata that is not the client’s to write', () => {
  let server: Fixture;
  before(async () => {
    // The last release whose metadata has a clusterName is 1.24.
    const surface = { ...everyVersion, release: '1.23', forwardCompatible: false } as const;
    server = await startFixture({ catalogue: builtInCatalogue(identifiersOf('kubernetes'), surface) });
  });
  after(() => server[Symbol.asyncDispose]());

  const patch = (path: string, metadata: object) =>
    server.send({ method: 'PATCH', path, body: { metadata }, type: 'application/merge-patch+json' });

  it('lets clusterName be sent in every way, and is without it', async () => {
    const metadata = { name: 'c', clusterName: 'z' };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    const path = `${configMaps}/c`;
    const responses = [
      await server.send({ method: 'POST', path: configMaps, body }),
      await server.send({ method: 'PUT', path, body }),
      await patch(path, { clusterName: 'y', labels: { a: 'b' } }),
      await server.send({
        method: 'PATCH',
        path: `${path}?fieldManager=m`,
        body: JSON.stringify({ ...body, data: { a: 'b' } }),
        type: 'application/apply-patch+yaml',
      }),
    ];
    for (const response of responses) {
      assert.ok(response.status < 300, response.text);
      assert.equal(response.headers['warning'], undefined);
      assert.equal(response.at('metadata.clusterName'), undefined);
    }
    assert.doesNotMatch(responses.at(-1)?.text ?? '', /f:clusterName/);
  });

  it('has no version before it is stored: a number is refused, anything else is dropped', async () => {
    const send = (method: string, path: string, resourceVersion: string) =>
      server.send({ method, path, body: { metadata: { name: path.split('/').at(-1), resourceVersion } } });
    const create = (resourceVersion: string) => {
      const body = { metadata: { generateName: 'v-', resourceVersion } };
      return server.send({ method: 'POST', path: configMaps, body });
    };
    for (const text of ['z', '-1', '1.0', '0', '00', '', '99999999999999999999']) {
      assert.equal((await create(text)).status, 201, text);
    }
    for (const number of ['5', '05', '18446744073709551615']) {
      const refused = await create(number);
      assert.equal(refused.status, 500, number);
      assert.equal(refused.at('message'), 'resourceVersion should not be set on objects to be created');
    }
    const leases = '/apis/coordination.k8s.io/v1/namespaces/ns/leases';
    assert.equal((await send('PUT', `${leases}/a`, '5')).status, 201);
    const malformed = await send('PUT', `${leases}/b`, 'z');
    assert.equal(malformed.status, 422, malformed.text);
    assert.equal(malformed.at('details.causes.0.field'), 'metadata.resourceVersion');
    assert.equal((await server.send({ path: `${leases}/b` })).status, 404);
  });

  it('has a generation that the changes of a PriorityClass do not increment', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const body = { metadata: { name: 'p' }, value: 5 };
    assert.equal((await server.send({ method: 'POST', path, body })).at('metadata.generation'), 1);
    const changed = await server.send({ method: 'PUT', path: `${path}/p`, body: { ...body, description: 'x' } });
    assert.equal(changed.at('description'), 'x', changed.text);
    assert.equal(changed.at('metadata.generation'), 1);
  });

  for (const [path, spec] of [
    ['/api/v1/namespaces/ns/serviceaccounts', {}],
    ['/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas', { priorityLevelConfiguration: { name: 'x' } }],
  ] as const) {
    it(`need not be known to replace an object at ${path}`, async () => {
      const body = { metadata: { name: 'u' }, ...(path.endsWith('schemas') ? { spec } : {}) };
      assert.equal((await server.send({ method: 'POST', path, body })).status, 201);
      const replaced = await server.send({ method: 'PUT', path: `${path}/u`, body });
      assert.equal(replaced.status, 200, replaced.text);
    });
  }

  it('keeps the grace period of an object that is being deleted, and refuses another', async () => {
    const body = { metadata: { name: 'd', finalizers: ['example.com/a'] } };
    await server.send({ method: 'POST', path: configMaps, body });
    const path = `${configMaps}/d`;
    const terminating = (await server.send({ method: 'DELETE', path })).json();
    const replaced = await server.send({ method: 'PUT', path, body: { ...body, data: { a: 'b' } } });
    assert.equal(replaced.at('metadata.deletionGracePeriodSeconds'), 0, replaced.text);
    for (const same of [null, 0]) {
      const kept = await patch(path, { deletionGracePeriodSeconds: same });
      assert.equal(kept.status, 200, kept.text);
      assert.deepEqual(
        kept.at('metadata.deletionTimestamp'),
        (terminating['metadata'] as Record<string, unknown>)['deletionTimestamp'],
      );
    }
    for (const seconds of [5, 40, -1]) {
      const refused = await patch(path, { deletionGracePeriodSeconds: seconds });
      assert.equal(refused.status, 422, refused.text);
      assert.equal(refused.at('details.causes.0.field'), 'metadata.deletionGracePeriodSeconds');
    }
  });
});
