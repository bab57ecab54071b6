import assert from 'node:assert/strict';
import type { StorageVersion } from '../../src/gen/types/internal-apiserver-v1alpha1.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

const versions = '/apis/internal.apiserver.cl.io/v1alpha1/storageversions';

describe('the StorageVersions of a server', () => {
  let server: TestServer;
  const read = async (name: string) => request(server, 'GET', `${versions}/${name}`);

  before(async () => {
    server = await startServer({
      store: 'memory',
      emulatedRelease: '1.36',
      featureGates: ['StorageVersionAPI=true'],
      runtimeConfig: ['internal.apiserver.cl.io/v1alpha1=true', 'admissionregistration.cl.io/v1beta1=true'],
      identityName: 'here',
      controllers: ['storageversion-garbage-collector-controller'],
    });
  });
  after(() => server.stop());

  it('list the versions that it encodes, decodes and serves, before it is ready', async () => {
    const { body } = await read('apps.deployments');
    const { status } = body as StorageVersion;
    const [own] = status.storageVersions ?? [];
    assert.match(own?.apiServerID ?? '', /^apiserver-[a-z2-7]{26}$/);
    const decodableVersions = own?.decodableVersions?.toSorted();
    assert.deepEqual(
      { ...own, decodableVersions, apiServerID: '' },
      {
        apiServerID: '',
        encodingVersion: 'apps/v1',
        decodableVersions: ['apps/v1', 'apps/v1beta1', 'apps/v1beta2'],
        servedVersions: ['apps/v1'],
      },
    );
    assert.equal(status.commonEncodingVersion, 'apps/v1');
    assert.equal(status.conditions?.[0]?.reason, 'CommonEncodingVersionSet');
  });

  it('are one for events of both groups', async () => {
    const { body } = await read('core.events');
    const [own] = (body as StorageVersion).status.storageVersions ?? [];
    assert.ok(own?.decodableVersions?.includes('events.cl.io/v1'));
    assert.equal((await read('events.cl.io.events')).status, 404);
  });

  it('lose servers without a Lease', async () => {
    const name = 'example.com.widgets';
    assert.equal((await request(server, 'POST', versions, { metadata: { name }, spec: {} })).status, 201);
    const gone = { apiServerID: 'apiserver-gone', encodingVersion: 'v1', decodableVersions: ['v1'] };
    const [own] = ((await read('core.pods')).body as StorageVersion).status.storageVersions ?? [];
    const { metadata } = (await read('core.pods')).body as JsonObject;
    const two = {
      metadata: metadata ?? {},
      spec: {},
      status: { storageVersions: [{ ...own }, gone], commonEncodingVersion: 'v1' },
    };
    const written = await request(server, 'PUT', `${versions}/core.pods/status`, two);
    assert.equal(written.status, 200, written.text);
    await until('the server to go', async () => {
      const { status } = (await read('core.pods')).body as StorageVersion;
      return status.storageVersions?.length === 1;
    });
    const alone = { metadata: { name }, status: { storageVersions: [gone], commonEncodingVersion: 'v1' } };
    const mergePatch = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await request(server, 'PATCH', `${versions}/${name}/status`, alone, mergePatch)).status, 200);
    await until('the StorageVersion to go', async () => (await read(name)).status === 404);
  });
});
