import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };

/** Options without any field, and with `dryRun: [All]`, in Protobuf. */
const emptyMessage = Buffer.from('k8s\0\n\x13\n\x02v1\x12\rDeleteOptions\x12\0', 'latin1');
const dryRunMessage = Buffer.from('k8s\0\n\x13\n\x02v1\x12\rDeleteOptions\x12\x05\x2a\x03All', 'latin1');

describe('the options of a delete in query and body', () => {
  let server: TestServer;
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);
  const create = async (name: string, metadata: JsonObject = {}): Promise<JsonObject> => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
    const { status, text, body } = await send('POST', configMaps, object);
    assert.equal(status, 201, text);
    return objectAt(body as JsonObject, 'metadata');
  };
  const exists = async (name: string) => (await send('GET', `${configMaps}/${name}`)).status === 200;

  before(async () => {
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  const dryRuns: readonly (readonly [title: string, query: string, body: unknown, headers?: Record<string, string>])[] =
    [
      ['an empty object', '?dryRun=All', {}],
      ['no value', '?dryRun=All', null],
      ['another option', '?dryRun=All', { propagationPolicy: 'Background' }],
      ['an empty list of dry runs', '?dryRun=All', { dryRun: [] }],
      ['the same', '?dryRun=All', { dryRun: ['All'] }],
      ['the dry run alone', '', { dryRun: ['All'] }],
      ['an empty message in Protobuf', '?dryRun=All', emptyMessage, protobuf],
      ['the dry run in Protobuf', '?gracePeriodSeconds=0', dryRunMessage, protobuf],
    ];
  for (const [index, [title, query, body, headers]] of dryRuns.entries()) {
    it(`keep all objects in a dry run whose body has ${title}`, async () => {
      const labels = { dry: String(index) };
      await create(`dry-${index}`, { labels });
      const single = await send('DELETE', `${configMaps}/dry-${index}${query}`, body ?? 'null', headers);
      assert.equal(single.status, 200, single.text);
      const selector = `${query === '' ? '?' : `${query}&`}labelSelector=dry%3D${index}`;
      const several = await send('DELETE', `${configMaps}${selector}`, body ?? 'null', headers);
      assert.equal(several.status, 200, several.text);
      assert.equal(objectsAt(several.body as JsonObject, 'items').length, 1);
      assert.ok(await exists(`dry-${index}`));
    });
  }

  const contradictions: readonly (readonly [query: string, body: JsonObject, names: RegExp])[] = [
    ['gracePeriodSeconds=0', { gracePeriodSeconds: 5 }, /gracePeriodSeconds/],
    ['propagationPolicy=Orphan', { propagationPolicy: 'Background' }, /propagationPolicy/],
    ['orphanDependents=true', { orphanDependents: false }, /orphanDependents/],
    ['uid=a', { preconditions: { uid: 'b' } }, /preconditions\.uid/],
  ];
  for (const [query, body, names] of contradictions) {
    it(`are refused if they contradict each other: ${query}`, async () => {
      await create('kept');
      for (const path of [`${configMaps}/kept`, configMaps]) {
        const { status, text } = await send('DELETE', `${path}?${query}`, body);
        assert.equal(status, 400, text);
        assert.match(text, names);
      }
      assert.ok(await exists('kept'));
      await send('DELETE', `${configMaps}/kept`);
    });
  }

  it('are refused if they name two versions of one object', async () => {
    await create('kept');
    const body = { preconditions: { resourceVersion: '2' } };
    assert.equal((await send('DELETE', `${configMaps}/kept?resourceVersion=1`, body)).status, 400);
    await send('DELETE', `${configMaps}/kept`);
  });

  it('are checked together', async () => {
    await create('kept');
    const both = await send('DELETE', `${configMaps}/kept?propagationPolicy=Orphan`, { orphanDependents: false });
    assert.equal(both.status, 422, both.text);
    const unknown = await send('DELETE', `${configMaps}/kept?dryRun=Some`, { dryRun: ['All'] });
    assert.equal(unknown.status, 422, unknown.text);
    assert.ok(await exists('kept'));
    await send('DELETE', `${configMaps}/kept`);
  });

  it('count from the query beside a body: period, policy and preconditions', async () => {
    const spec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }] };
    await send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'given-time' }, spec });
    const given = await send('DELETE', `${pods}/given-time?gracePeriodSeconds=7`, {});
    assert.equal(objectAt(given.body as JsonObject, 'metadata')['deletionGracePeriodSeconds'], 7);
    await create('orphaning');
    const orphaning = await send('DELETE', `${configMaps}/orphaning?propagationPolicy=Orphan`, {});
    assert.deepEqual(objectAt(orphaning.body as JsonObject, 'metadata')['finalizers'], ['orphan']);
    const { uid } = await create('guarded');
    assert.equal((await send('DELETE', `${configMaps}/guarded?uid=another`, {})).status, 409);
    const body = { preconditions: { uid } };
    assert.equal((await send('DELETE', `${configMaps}/guarded?resourceVersion=1`, body)).status, 409);
    assert.equal((await send('DELETE', `${configMaps}/guarded?uid=${uid as string}`, body)).status, 200);
  });

  it('select the list of a collection by its version, which is no precondition of an object', async () => {
    const labels = { listed: 'yes' };
    const first = await create('listed-1', { labels });
    const second = await create('listed-2', { labels });
    const selected = `${configMaps}?labelSelector=listed%3Dyes`;
    const version = stringAt(first, 'resourceVersion');
    const exact = await send('DELETE', `${selected}&resourceVersion=${version}&resourceVersionMatch=Exact`, {});
    assert.equal(exact.status, 200, exact.text);
    assert.equal(await exists('listed-1'), false);
    assert.ok(await exists('listed-2'));
    const newer = `${selected}&resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
    const guarded = { preconditions: { resourceVersion: version } };
    assert.equal((await send('DELETE', newer, guarded)).status, 409);
    assert.notEqual(stringAt(second, 'resourceVersion'), version);
    assert.equal((await send('DELETE', newer)).status, 200);
    assert.equal(await exists('listed-2'), false);
  });
});
