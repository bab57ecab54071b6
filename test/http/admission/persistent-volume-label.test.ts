import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { ApiRelease } from '../../../src/scheme/api-release.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';

const start = (emulatedRelease: ApiRelease = '1.23'): Promise<TestServer> =>
  startServer({
    store: 'memory',
    emulatedRelease,
    admissionPlugins: { enabled: ['PersistentVolumeLabel'], disabled: [] },
  });

const disk: JsonObject = { awsElasticBlockStore: { volumeID: 'v' } };
const provisioned = { 'pv.cluster.io/provisioned-by': 'someone' };
const labels = (zone: string, prefix = 'topology.cluster.io') => ({
  [`${prefix}/zone`]: zone,
  [`${prefix}/region`]: 'r',
});

/** Creates a volume by a provisioner. */
function create(server: TestServer, metadata: JsonObject, spec: JsonObject = disk): Promise<HttpResponse> {
  return request(server, 'POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'v', annotations: provisioned, ...metadata },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  });
}

const termsOf = ({ status, body, text }: HttpResponse): unknown => {
  assert.equal(status, 201, text);
  return objectAt(body as JsonObject, 'spec', 'nodeAffinity', 'required')['nodeSelectorTerms'];
};
const assertRefused = ({ status, body, text }: HttpResponse, why: string): void => {
  assert.equal(status, 403, text);
  assert.equal((body as { message: string }).message, `persistentvolumes "v" is forbidden: ${why}`);
};
const inZones = (...values: string[]): JsonObject => ({ key: 'topology.cluster.io/zone', operator: 'In', values });
const inRegion: JsonObject = { key: 'topology.cluster.io/region', operator: 'In', values: ['r'] };

describe('PersistentVolumeLabel', () => {
  it('restricts provisioned volumes to the nodes of their zones and region', async () => {
    await using server = await start();
    const expected = [{ matchExpressions: [inZones('a', 'b'), inRegion] }];
    assert.deepEqual(termsOf(await create(server, { labels: labels('b__a__b') })), expected);
  });

  it('adds to the terms of an affinity, unless they are about these labels', async () => {
    await using server = await start();
    const exists = (key: string): JsonObject => ({ matchExpressions: [{ key, operator: 'Exists' }] });
    const withTerms = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
      ...disk,
      nodeAffinity: { required: { nodeSelectorTerms } },
    });
    const added = await create(server, { labels: labels('a') }, withTerms(exists('x'), exists('y')));
    assert.deepEqual(
      termsOf(added),
      ['x', 'y'].map((key) => ({ matchExpressions: [{ key, operator: 'Exists' }, inZones('a'), inRegion] })),
    );
    const own = [exists('x'), exists('topology.cluster.io/zone')];
    const kept = await create(server, { name: 'w', labels: labels('a') }, withTerms(...own));
    assert.deepEqual(termsOf(kept), own);
  });

  it('knows the beta labels, and until 1.20 only these', async () => {
    await using server = await start('1.20');
    const beta = labels('a', 'failure-domain.beta.cluster.io');
    assert.notEqual(termsOf(await create(server, { labels: beta })), undefined);
    const nfs = { nfs: { server: 's', path: '/' } };
    assert.equal(termsOf(await create(server, { name: 'w', labels: labels('a') }, nfs)), undefined);
  });

  it('refuses volumes of clouds that no provisioner has labelled, and no others', async () => {
    await using server = await start();
    const why = 'error querying AWS EBS volume v: this server has no cloud provider';
    assertRefused(await create(server, {}), why);
    assertRefused(await create(server, { annotations: {}, labels: labels('a') }), why);
    assertRefused(await create(server, { labels: { 'topology.cluster.io/zone': 'a' } }), why);
    assert.equal(termsOf(await create(server, {}, { hostPath: { path: '/x' } })), undefined);
  });

  it('refuses an empty zone', async () => {
    await using server = await start();
    assertRefused(
      await create(server, { labels: labels('a____b') }),
      'failed to convert label string for Zone: a____b to a Set',
    );
  });
});
