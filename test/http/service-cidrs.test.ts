import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { nameOf } from '../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
const services = '/api/v1/namespaces/default/services';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

describe('cluster IPs from ServiceCIDRs', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      emulatedRelease: '1.36',
      serviceClusterIpRange: '10.0.0.0/29,2001:db8::/64',
    });
  });
  after(() => server.stop());

  const create = (name: string, spec: JsonObject = {}) =>
    request(server, 'POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  const specOf = (body: unknown): JsonObject => objectAt(body as JsonObject, 'spec');
  const held = async (): Promise<readonly string[]> =>
    objectsAt((await request(server, 'GET', addresses)).body as JsonObject, 'items').map(
      (address) => `${nameOf(address)} ${stringAt(objectAt(address, 'spec', 'parentRef'), 'name')}`,
    );
  const ready = (name: string, status: string) =>
    request(
      server,
      'PATCH',
      `${cidrs}/${name}/status`,
      {
        status: {
          conditions: [{ type: 'Ready', status, reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      mergePatch,
    );

  it('begin with the default one, whose first address belongs to the API', async () => {
    const found = (await request(server, 'GET', `${cidrs}/kubernetes`)).body as JsonObject;
    assert.deepEqual(specOf(found)['cidrs'], ['10.0.0.0/29', '2001:db8::/64']);
    assert.deepEqual(await held(), ['10.0.0.1 kubernetes']);
  });

  it('are IPAddress objects with the lifetime of their Service', async () => {
    const created = await create('named', { clusterIP: '10.0.0.2' });
    assert.equal(created.status, 201, created.text);
    assert.ok((await held()).includes('10.0.0.2 named'));
    const taken = await create('other', { clusterIP: '10.0.0.2' });
    assert.match(taken.text, /provided IP is already allocated/);
    const refusedByRange = await create('other', { clusterIP: '10.1.0.2' });
    assert.match(refusedByRange.text, /not in the valid range/);
    assert.equal((await create('named', { clusterIP: '10.0.0.3' })).status, 409);
    assert.ok(!(await held()).some((one) => one.startsWith('10.0.0.3')), 'a create that fails keeps nothing');
    const deleted = await request(server, 'DELETE', `${services}/named`);
    assert.equal(deleted.status, 200);
    assert.equal((deleted.body as JsonObject)['kind'], 'Service');
    assert.ok(!(await held()).some((one) => one.startsWith('10.0.0.2')));
  });

  it('are of both families where the Service wants both', async () => {
    const both = specOf((await create('both', { ipFamilyPolicy: 'PreferDualStack' })).body);
    assert.deepEqual(both['ipFamilies'], ['IPv4', 'IPv6']);
    const [first = '', second = ''] = both['clusterIPs'] as string[];
    assert.ok(first.startsWith('10.0.0.') && second.startsWith('2001:db8::'), `${first} ${second}`);
    const six = specOf((await create('six', { ipFamilies: ['IPv6'] })).body);
    assert.equal(six['ipFamilyPolicy'], 'SingleStack');
    const patch = (spec: JsonObject) => request(server, 'PATCH', `${services}/six`, { spec }, mergePatch);
    const grown = specOf((await patch({ ipFamilyPolicy: 'RequireDualStack' })).body);
    assert.deepEqual(grown['ipFamilies'], ['IPv6', 'IPv4']);
    const [six6, six4] = grown['clusterIPs'] as string[];
    assert.equal(six6, six['clusterIP']);
    const shrunk = specOf((await patch({ ipFamilyPolicy: 'SingleStack' })).body);
    assert.deepEqual(shrunk['clusterIPs'], [six6]);
    assert.ok(!(await held()).includes(`${six4} six`));
    for (const name of ['both', 'six']) await request(server, 'DELETE', `${services}/${name}`);
  });

  it('come from further ranges once these are ready', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) assert.equal((await create(name)).status, 201, name);
    assert.match((await create('f')).text, /range is full/);
    const more = { metadata: { name: 'more' }, spec: { cidrs: ['10.7.0.0/16'] } };
    assert.equal((await request(server, 'POST', cidrs, more)).status, 201);
    assert.match((await create('f')).text, /range is full/, 'it is not ready');
    assert.equal((await ready('more', 'True')).status, 200);
    const address = stringAt(specOf((await create('f')).body), 'clusterIP');
    assert.ok(address.startsWith('10.7.'), address);
    assert.equal((await create('far', { clusterIP: '10.7.255.254' })).status, 201);
    await ready('more', 'False');
    assert.match((await create('g')).text, /range is full/);
    await ready('kubernetes', 'False');
    assert.match((await create('g')).text, /no range of the family is ready/);
    const labels = { metadata: { labels: { a: 'b' } } };
    const labelled = await request(server, 'PATCH', `${services}/f`, labels, mergePatch);
    assert.equal(labelled.status, 200, `a Service that has its address needs no range: ${labelled.text}`);
    await ready('kubernetes', 'True');
    for (const name of [...names, 'f', 'far']) await request(server, 'DELETE', `${services}/${name}`);
    assert.deepEqual(await held(), ['10.0.0.1 kubernetes']);
  });
});
