import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const group = 'differing.example.com';
const text = { type: 'string' };

function schemaOf(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties, ...rest } } } };
}

function specOf({ status, body, text: answer }: HttpResponse): JsonObject {
  assert.ok(status < 300, answer);
  return objectAt(body as JsonObject, 'spec');
}

const old = { size: text, parts: { type: 'array', items: text } };
const added = { colour: text, layers: { type: 'object', additionalProperties: text } };
const parts = { type: 'array', items: text, 'x-cluster-list-type': 'set' };

describe('versions with different fields, between which nothing is converted', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
    const versions = [
      versionOf('v1', { schema: schemaOf(old), storage: false }),
      versionOf('v2', { schema: schemaOf({ ...old, ...added, parts }), storage: true }),
    ];
    await define(server, widgetsIn(group, { versions }));
  });
  after(() => server.stop());

  const apply = async (name: string, manager: string, spec: JsonObject): Promise<JsonObject> => {
    const [id = '', age] = manager.split(' ');
    const version = age === 'old' ? 'v1' : 'v2';
    const path = `${widgetsAt(group, version)}/${name}?fieldManager=${id}`;
    const body = { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name }, spec };
    return specOf(await request(server, 'PATCH', path, body, applyPatch));
  };

  it('keep what an apply sets again that another manager’s version lacks', async () => {
    await apply('again', 'second old', { size: 's' });
    await apply('again', 'first', { parts: ['a'] });
    await apply('again', 'new', { colour: 'red', layers: { a: 'x' } });
    const spec = await apply('again', 'new', { colour: 'blue', layers: { a: 'y', b: 'z' } });
    assert.deepEqual(spec, { parts: ['a'], size: 's', colour: 'blue', layers: { a: 'y', b: 'z' } });
  });

  it('remove what an apply omits, though another manager’s version lacks it', async () => {
    await apply('omitted', 'second old', { size: 's' });
    await apply('omitted', 'first', { parts: ['a'], layers: { c: 'x' } });
    await apply('omitted', 'new', { colour: 'red', layers: { a: 'x', b: 'y' } });
    const spec = await apply('omitted', 'new', { layers: { b: 'y' } });
    assert.deepEqual(spec, { parts: ['a'], size: 's', layers: { b: 'y', c: 'x' } });
  });

  it('keep what a manager applies that applied through the version which lacks it', async () => {
    await apply('moved', 'both old', { size: 's', parts: ['a'] });
    await apply('moved', 'first', { parts: ['a'], layers: { c: 'x' } });
    const spec = await apply('moved', 'both', { colour: 'red', layers: { a: 'x' } });
    assert.deepEqual(spec, { parts: ['a'], colour: 'red', layers: { a: 'x', c: 'x' } });
  });

  it('keep what a version lacks when a write through it changes nothing', async () => {
    await apply('unchanged', 'new', { size: 's', colour: 'red' });
    const patch = { 'content-type': 'application/merge-patch+json' };
    const path = `${widgetsAt(group, 'v1')}/unchanged`;
    assert.deepEqual(specOf(await request(server, 'PATCH', path, { spec: { size: 's' } }, patch)), { size: 's' });
    const read = await request(server, 'GET', `${widgetsAt(group, 'v2')}/unchanged`);
    assert.deepEqual(specOf(read), { size: 's', colour: 'red' });
  });

  it('fill in the defaults of the version in which objects are stored, before they answer', async () => {
    const kept = schemaOf(old, { 'x-cluster-preserve-unknown-fields': true });
    const versions = [
      versionOf('v1', { schema: kept, storage: false }),
      versionOf('v2', { schema: schemaOf({ ...old, colour: { ...text, default: 'red' } }), storage: true }),
    ];
    await define(server, widgetsIn('defaults.example.com', { versions }));
    const path = widgetsAt('defaults.example.com');
    const widget = {
      apiVersion: 'defaults.example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a' },
      spec: { size: 's' },
    };
    const rehearsed = await request(server, 'POST', `${path}?dryRun=All`, widget);
    assert.deepEqual(specOf(rehearsed), { size: 's', colour: 'red' });
    const created = await request(server, 'POST', path, widget);
    assert.deepEqual(specOf(created), { size: 's', colour: 'red' });
    assert.deepEqual(specOf(await request(server, 'GET', `${path}/a`)), { size: 's', colour: 'red' });
    const replaced = await request(server, 'PUT', `${path}/a`, {
      ...(created.body as JsonObject),
      spec: { size: 't' },
    });
    assert.deepEqual(specOf(replaced), { size: 't', colour: 'red' });
  });

  it('rehearse writes as they would be stored', async () => {
    const lesser = [
      versionOf('v1', { schema: schemaOf(old), storage: true }),
      versionOf('v2', { schema: schemaOf({ ...old, ...added }), storage: false }),
    ];
    await define(server, widgetsIn('lesser.example.com', { versions: lesser }));
    const path = widgetsAt('lesser.example.com', 'v2');
    const spec = { size: 's', colour: 'red' };
    const widget = { apiVersion: 'lesser.example.com/v2', kind: 'Widget', metadata: { name: 'a' }, spec };
    assert.deepEqual(specOf(await request(server, 'POST', `${path}?dryRun=All`, widget)), { size: 's' });
    const query = '?fieldManager=m&dryRun=All';
    assert.deepEqual(specOf(await request(server, 'PATCH', `${path}/a${query}`, widget, applyPatch)), { size: 's' });
    const created = await request(server, 'POST', path, widget);
    const changed = { ...(created.body as JsonObject), spec: { size: 't', colour: 'red' } };
    const replaced = await request(server, 'PUT', `${path}/a?dryRun=All`, changed);
    assert.deepEqual(specOf(replaced), { size: 't' });
    const version = (answer: HttpResponse): JsonValue | undefined =>
      objectAt(answer.body as JsonObject, 'metadata')['resourceVersion'];
    assert.equal(version(replaced), version(created));
  });
});
