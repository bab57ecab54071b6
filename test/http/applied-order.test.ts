import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './custom-resources/widgets.ts';
import { request } from './http-client.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const group = 'order.example.com';

describe('the order of the items of an applied list', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
    await define(server, widgetsIn(group, { versions: [versionOf('v1')] }));
  });
  after(() => server.stop());

  const apply = async (path: string, manager: string, body: JsonObject): Promise<JsonObject> => {
    const answer = await request(server, 'PATCH', `${path}?fieldManager=${manager}`, body, applyPatch);
    assert.ok(answer.status < 300, answer.text);
    return answer.body as JsonObject;
  };
  const applied = async (manager: string, ...names: readonly string[]): Promise<readonly string[]> => {
    const initContainers = names.map((name) => ({ name, image: 'img' }));
    const template = {
      metadata: { labels: { app: 'ordered' } },
      spec: { initContainers, containers: [{ name: 'main', image: 'img' }] },
    };
    const spec = { replicas: 0, selector: { matchLabels: { app: 'ordered' } }, template };
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'ordered' }, spec };
    const stored = await apply('/apis/apps/v1/namespaces/default/deployments/ordered', manager, object);
    return objectsAt(objectAt(stored, 'spec', 'template', 'spec'), 'initContainers').map(nameOfItem);
  };
  const nameOfItem = (item: JsonObject): string => stringAt(item, 'name');

  it('is that of the request, for new items and for those that change places', async () => {
    assert.deepEqual(await applied('one', 'warm'), ['warm']);
    assert.deepEqual(await applied('one', 'migrate', 'warm'), ['migrate', 'warm']);
    assert.deepEqual(await applied('one', 'warm', 'migrate'), ['warm', 'migrate']);
    assert.deepEqual(await applied('one', 'warm', 'check', 'migrate'), ['warm', 'check', 'migrate']);
  });

  it('leaves the items of other managers in their places', async () => {
    assert.deepEqual(await applied('two', 'check', 'last'), ['warm', 'check', 'migrate', 'last']);
    assert.deepEqual(await applied('two', 'last', 'check'), ['warm', 'migrate', 'last', 'check']);
  });

  it('is that of the request in keyed lists and sets of custom kinds', async () => {
    const path = `${widgetsAt(group)}/ordered`;
    const spec = async (manager: string, tags: readonly string[], parts: readonly string[]): Promise<JsonObject> => {
      const items: JsonValue = parts.map((name) => ({ name }));
      const body = { size: 1, tags: [...tags], parts: items };
      const kind = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'ordered' } };
      return objectAt(await apply(path, manager, { ...kind, spec: body }), 'spec');
    };
    await spec('one', ['b', 'd'], ['b', 'd']);
    const stored = await spec('two', ['d', 'c', 'b'], ['a', 'b', 'c']);
    assert.deepEqual(stringsAt(stored, 'tags'), ['d', 'c', 'b']);
    assert.deepEqual(objectsAt(stored, 'parts').map(nameOfItem), ['a', 'b', 'd', 'c']);
  });
});
