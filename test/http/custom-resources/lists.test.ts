import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'lists.example.com';
const widgets = widgetsAt(group);

describe('a list of custom objects', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
    await define(server, widgetsIn(group, { versions: [versionOf('v1')] }));
    for (const name of ['a', 'b']) {
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name } };
      assert.equal((await request(server, 'POST', widgets, widget)).status, 201);
    }
  });
  after(() => server.stop());

  async function continuation(path: string, accept?: string): Promise<unknown> {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const { body } = await request(server, 'GET', path, undefined, headers);
    return (body as { metadata: { continue?: string } }).metadata.continue;
  }

  it('has an empty continue where it is complete, unlike other lists', async () => {
    for (const path of [widgets, `${widgets}?limit=2`, `${widgets}?resourceVersion=0`, `/apis/${group}/v1/widgets`])
      assert.equal(await continuation(path), '', path);
    assert.match(String(await continuation(`${widgets}?limit=1`)), /./);
    assert.equal(await continuation('/api/v1/namespaces/default/configmaps'), undefined);
    for (const form of ['Table', 'PartialObjectMetadataList'])
      assert.equal(await continuation(widgets, `application/json;as=${form};v=v1;g=meta.cl.io`), undefined, form);
  });

  it('has it in YAML, and after a DELETE of the collection', async () => {
    const { text } = await request(server, 'GET', widgets, undefined, { accept: 'application/yaml' });
    assert.match(text, /^ {2}continue: ""$/m);
    const { body } = await request(server, 'DELETE', widgets);
    assert.equal((body as { metadata: { continue?: string } }).metadata.continue, '');
  });
});
