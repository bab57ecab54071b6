import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

const known = (field: string) => `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
const unsupported = (field: string) => `field label not supported: ${field}`;

/** A field of each sort by the path of a collection, and the refusal; none where the field is taken. */
const rows: readonly [path: string, field: string, message?: string][] = [
  ['/api/v1/configmaps', 'metadata.namespace'],
  ['/api/v1/configmaps', 'name', known('name')],
  ['/api/v1/pods', 'metadata.namespace'],
  ['/api/v1/pods', 'spec.nodeName'],
  ['/api/v1/pods', 'regarding.name', unsupported('regarding.name')],
  ['/api/v1/namespaces', 'status.phase'],
  ['/api/v1/namespaces', 'metadata.name'],
  ['/api/v1/namespaces', 'name', unsupported('name')],
  ['/api/v1/namespaces', 'metadata.namespace', unsupported('metadata.namespace')],
  ['/api/v1/nodes', 'metadata.namespace', unsupported('metadata.namespace')],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 'spec.signerName'],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 'metadata.namespace', unsupported('metadata.namespace')],
  ['/api/v1/persistentvolumes', 'metadata.namespace'],
  ['/api/v1/persistentvolumes', 'name', known('name')],
  ['/api/v1/persistentvolumeclaims', 'name', known('name')],
  ['/apis/storage.k8s.io/v1/storageclasses', 'metadata.namespace'],
  ['/apis/apps/v1/replicasets', 'status.replicas', known('status.replicas')],
  ['/api/v1/replicationcontrollers', 'status.replicas'],
  ['/api/v1/events', 'involvedObject.name'],
  ['/api/v1/events', 'reportingComponent'],
  ['/api/v1/events', 'regarding.name', unsupported('regarding.name')],
  ['/api/v1/events', 'reportingController', unsupported('reportingController')],
  ['/apis/events.k8s.io/v1/events', 'regarding.name'],
  ['/apis/events.k8s.io/v1/events', 'reportingController'],
  ['/apis/events.k8s.io/v1/events', 'reason'],
  ['/apis/events.k8s.io/v1/events', 'metadata.namespace'],
  ['/apis/events.k8s.io/v1/events', 'involvedObject.name', unsupported('involvedObject.name')],
  ['/apis/events.k8s.io/v1/events', 'source', unsupported('source')],
];

describe('a field selector', () => {
  let server: Fixture;
  before(async () => {
    server = await startFixture();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [path, field, message] of rows) {
    it(`of ${field} is ${message ? 'refused' : 'taken'} at ${path}`, async () => {
      const response = await server.send({ path: `${path}?fieldSelector=${field}%3Dx` });
      assert.equal(response.status, message ? 400 : 200, response.text);
      assert.equal(response.at('message'), message);
    });
  }

  const orders: readonly [query: string, status: number][] = [
    ['fieldSelector=zork%3D1&resourceVersionMatch=x', 422],
    ['watch=1&fieldSelector=zork%3D1&resourceVersionMatch=x', 422],
    ['fieldSelector=zork&resourceVersionMatch=x', 400],
    ['labelSelector=!!&resourceVersionMatch=x', 400],
    ['fieldSelector=zork%3D1&resourceVersion=x', 400],
  ];
  for (const [query, status] of orders) {
    it(`is read before the other options are compared, and its fields afterwards: ${status} to ${query}`, async () => {
      assert.equal((await server.send({ path: `/api/v1/configmaps?${query}` })).status, status);
    });
  }

  it('finds an event by the names of both groups', async () => {
    const body = { metadata: { name: 'e' }, involvedObject: { namespace: 'default', name: 'p' } };
    await server.send({ method: 'POST', path: '/api/v1/namespaces/default/events', body });
    const found = (path: string) => server.send({ path }).then((list) => list.at('items.0.metadata.name'));
    assert.equal(await found('/api/v1/events?fieldSelector=involvedObject.name%3Dp'), 'e');
    assert.equal(await found('/apis/events.k8s.io/v1/events?fieldSelector=regarding.name%3Dp'), 'e');
  });
});
