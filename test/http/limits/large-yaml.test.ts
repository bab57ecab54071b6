import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const yaml = { 'content-type': 'application/yaml' };
const largeUser = { 'impersonate-user': 'large', 'impersonate-group': 'system:masters' };
const collection = '/api/v1/namespaces/default/configmaps';

/** A ConfigMap with many short lines of YAML, which take long to read. */
function configMap(name: string, bytes: number): string {
  const lines = Array.from({ length: bytes / 20 }, (_, index) => `  key${String(index).padStart(9, '0')}: value\n`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines.join('')}`;
}

describe('large YAML', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const create = (body: string, headers: Record<string, string> = {}) =>
    request(server, 'POST', `${collection}?dryRun=All`, body, { ...yaml, ...headers });

  it('of one user does not keep the smaller one of another user waiting', async () => {
    const done: string[] = [];
    const large = Array.from({ length: 6 }, async (_, index) => {
      const { status } = await create(configMap(`large${index}`, 300_000), largeUser);
      assert.equal(status, 201);
      done.push('large');
    });
    const { status, text } = await create(configMap('small', 40_000));
    assert.equal(status, 201, text.slice(0, 500));
    done.push('small');
    await Promise.all(large);
    assert.ok(done.indexOf('small') <= 2, done.join());
  });

  it('with aliases of long texts is refused before they are copied', async () => {
    const text = 'x'.repeat(100_000);
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: &a ${text}\n`;
    const lines = Array.from({ length: 2_000 }, (_, index) => `  k${index}: *a\n`).join('');
    const refused = await create(body + lines);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /aliases may stand for at most 3145728 characters/);
  });
});
