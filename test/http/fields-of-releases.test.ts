import assert from 'node:assert/strict';
import { serveObjectStore } from '../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const schedulingGates = [{ name: 'example.com/wait' }];

function pod(name: string, spec: object = { schedulingGates }) {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

describe('the fields of an emulated release', () => {
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let newest: TestServer;
  let older: TestServer;
  let gated: TestServer;

  before(async () => {
    served = await serveObjectStore(new MemoryStore(), '127.0.0.1:0');
    const store = { kind: 'remote', endpoint: served.endpoint } as const;
    const admissionPlugins = { enabled: [], disabled: ['ServiceAccount'] };
    newest = await startServer({ store, emulatedRelease: '1.36', admissionPlugins });
    older = await startServer({ store, emulatedRelease: '1.23', admissionPlugins });
    gated = await startServer({ store, emulatedRelease: '1.26', admissionPlugins });
  });
  after(async () => {
    for (const server of [newest, older, gated]) await server.stop();
    await served.close();
  });

  it('are not shown of Services before it, which may still be changed', async () => {
    await using ancient = await startServer({ store: 'memory', emulatedRelease: '1.19' });
    const services = '/api/v1/namespaces/default/services';
    const made = await request(ancient, 'POST', services, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    assert.equal(made.status, 201, made.text);
    const port = await request(ancient, 'PATCH', `${services}/s`, { spec: { type: 'NodePort' } }, mergePatch);
    assert.equal(port.status, 200, port.text);
    for (const shown of [made, port]) {
      const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = specOf(shown);
      assert.match(String(clusterIP), /^\d/);
      assert.deepEqual([clusterIPs, ipFamilies, ipFamilyPolicy], [undefined, undefined, undefined]);
    }
  });

  it('are shown of templates as long as a release does so', async () => {
    for (const [server, name, shown] of [
      [older, 'old', null],
      [newest, 'new', undefined],
    ] as const) {
      const template = { template: pod(name), metadata: { name: `t-${name}` } };
      const made = await request(server, 'POST', '/api/v1/namespaces/default/podtemplates', template);
      assert.equal(made.status, 201, made.text);
      const { metadata } = (made.body as { template: { metadata: Record<string, unknown> } }).template;
      assert.equal(metadata['creationTimestamp'], shown);
    }
  });

  const specOf = ({ body }: { readonly body: unknown }) => (body as { spec: Record<string, unknown> }).spec;

  it('are unknown before it: an error, a warning or nothing, and never in the object', async () => {
    const strict = await request(older, 'POST', `${pods}?fieldValidation=Strict`, pod('strict'));
    assert.equal(strict.status, 400);
    assert.match(strict.text, /strict decoding error: unknown field \\"spec.schedulingGates\\"/);
    for (const [name, validation, warning] of [
      ['warned', 'Warn', '299 - "unknown field \\"spec.schedulingGates\\""'],
      ['ignored', 'Ignore', undefined],
    ] as const) {
      const created = await request(older, 'POST', `${pods}?fieldValidation=${validation}`, pod(name));
      assert.equal(created.status, 201, created.text);
      assert.equal(created.headers['warning'], warning);
      assert.equal(specOf(created)['schedulingGates'], undefined);
    }
  });

  it('are in the schemas that it publishes, and in none of an earlier release', async () => {
    const has = async (server: TestServer) =>
      (await request(server, 'GET', '/openapi/v2')).text.includes('PodSchedulingGate');
    assert.deepEqual([await has(older), await has(newest)], [false, true]);
  });

  it('are silently dropped while their feature is off, unless the object uses it', async () => {
    const created = await request(gated, 'POST', `${pods}?fieldValidation=Strict`, pod('off'));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual([created.headers['warning'], specOf(created)['schedulingGates']], [undefined, undefined]);
    const used = await request(newest, 'POST', pods, pod('on'));
    assert.deepEqual(specOf(used)['schedulingGates'], schedulingGates);
    const label = { metadata: { labels: { a: 'b' } } };
    const patched = await request(gated, 'PATCH', `${pods}/on`, label, mergePatch);
    assert.deepEqual(specOf(patched)['schedulingGates'], schedulingGates);
  });

  it('drop the whole data source of a claim, which without its namespace would be another object', async () => {
    const dataSourceRef = { kind: 'PersistentVolumeClaim', name: 'other', namespace: 'theirs' };
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOncePod'], resources, dataSourceRef };
    const { status, body, text } = await request(newest, 'POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'from-elsewhere' },
      spec,
    });
    assert.equal(status, 201, text);
    const { spec: made } = body as { spec: Record<string, unknown> };
    assert.deepEqual([made['dataSourceRef'], made['dataSource']], [undefined, undefined]);
    assert.deepEqual(made['accessModes'], ['ReadWriteOncePod']);
  });

  it('that a newer server has stored are served unchanged, and dropped by writes of an older one', async () => {
    assert.equal((await request(newest, 'POST', pods, pod('newer'))).status, 201);
    assert.deepEqual(specOf(await request(older, 'GET', `${pods}/newer`))['schedulingGates'], schedulingGates);
    const change = { metadata: { annotations: { a: 'b' } } };
    const patched = await request(older, 'PATCH', `${pods}/newer?fieldValidation=Strict`, change, mergePatch);
    assert.equal(patched.status, 200, patched.text);
    const read = await request(newest, 'GET', `${pods}/newer`);
    assert.equal(specOf(read)['schedulingGates'], undefined);
  });
});
