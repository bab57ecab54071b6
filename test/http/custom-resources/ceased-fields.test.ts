import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const text = { type: 'string' };
const tags = { type: 'array', items: text, 'x-cluster-list-type': 'set' };
const keepsUnknown = { 'x-cluster-preserve-unknown-fields': true };

function schemaOf(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties, ...rest } } } };
}

describe('a field that a definition declares no more', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const send = (group: string, manager: string, spec: JsonObject, version = 'v1'): Promise<HttpResponse> => {
    const path = `${widgetsAt(group, version)}/one?fieldManager=${manager}`;
    const body = { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name: 'one' }, spec };
    return request(server, 'PATCH', path, body, applyPatch);
  };
  const apply = async (...sent: Parameters<typeof send>): Promise<JsonObject> => {
    const { status, body, text: answer } = await send(...sent);
    assert.ok(status < 300, answer);
    return objectAt(body as JsonObject, 'spec');
  };
  const conflict = async (...sent: Parameters<typeof send>): Promise<string> => {
    const { status, body, text: answer } = await send(...sent);
    assert.equal(status, 409, answer);
    return (body as { message: string }).message;
  };
  /** Replaces the versions of a definition, and waits until the one that lacks a field serves. */
  const change = async (group: string, versions: readonly JsonObject[], isServed: () => Promise<boolean>) => {
    const path = `${definitions}/widgets.${group}`;
    const { status, text: answer } = await request(server, 'PATCH', path, { spec: { versions } }, mergePatch);
    assert.equal(status, 200, answer);
    await until('the new schema', isServed);
  };

  it('has the owner of one of its items as the owner of the list, until another takes it', async () => {
    const group = 'lists.example.com';
    const versions = (properties: JsonObject): JsonObject[] => [
      versionOf('v1', { schema: schemaOf({ size: text, ...properties }, keepsUnknown) }),
    ];
    await define(server, widgetsIn(group, { versions: versions({ tags }) }));
    await apply(group, 'first', { tags: ['a'] });
    await apply(group, 'second', { tags: ['b'] });
    await change(group, versions({}), async () => {
      const { status } = await send(group, 'probe&dryRun=All&force=true', { tags: 1 });
      return status === 200;
    });
    assert.match(await conflict(group, 'second', { tags: ['a', 'b', 'c'] }), /conflict with "first".*: \.spec\.tags$/);
    assert.deepEqual(await apply(group, 'second&force=true', { tags: ['a', 'b', 'c'] }), { tags: ['a', 'b', 'c'] });
    assert.deepEqual(await apply(group, 'second', { tags: ['c'] }), { tags: ['c'] });
    assert.deepEqual(await apply(group, 'second', {}), {});
  });

  it('keeps its owner, who applied it through the version that lacks it now', async () => {
    const group = 'fields.example.com';
    // The versions also differ in a part that the fields have nothing to do with.
    const parts = { parts: { type: 'object', properties: { a: text } } };
    const versions = (old: JsonObject): JsonObject[] => [
      versionOf('v1', { schema: schemaOf({ size: text, ...old }), storage: false }),
      versionOf('v2', { schema: schemaOf({ size: text, colour: text, shade: text, parts: tags }), storage: true }),
    ];
    await define(server, widgetsIn(group, { versions: versions({ colour: text, shade: text, ...parts }) }));
    await apply(group, 'first', { size: 's', colour: 'red', shade: 'dark' });
    await change(group, versions(parts), async () => {
      const { body } = await request(server, 'GET', `${widgetsAt(group)}/one`);
      return objectAt(body as JsonObject, 'spec')['colour'] === undefined;
    });
    const message = await conflict(group, 'second', { colour: 'blue' }, 'v2');
    assert.match(message, /^Apply failed with 1 conflict: conflict with "first": \.spec\.colour$/);
    const spec = await apply(group, 'second&force=true', { colour: 'blue' }, 'v2');
    assert.deepEqual(spec, { size: 's', colour: 'blue', shade: 'dark' });
    assert.match(await conflict(group, 'third', { colour: 'red' }, 'v2'), /conflict with "second": \.spec\.colour$/);

    const path = `${widgetsAt(group, 'v2')}/one?fieldManager=writer`;
    const patched = await request(server, 'PATCH', path, { spec: { shade: 'light' } }, mergePatch);
    assert.equal(patched.status, 200, patched.text);
    const message2 = await conflict(group, 'third', { shade: 'dark' }, 'v2');
    assert.match(message2, /^Apply failed with 1 conflict: conflict with "writer".*: \.spec\.shade$/);
  });
});
