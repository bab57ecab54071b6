import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

describe('the rules of a custom kind', () => {
  let server: TestServer;
  const collection = widgetsAt('limits.example.com');
  before(async () => {
    server = await startServer({ store: 'memory' });
    const text = { type: 'string', pattern: '^(?:x|y){0,900}[^x]$' };
    const choices = Array.from({ length: 5_000 }, (_, index) => ({ minLength: index + 10 }));
    const properties = {
      text,
      list: { type: 'array', items: { type: 'string', anyOf: choices } },
    };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    await define(server, widgetsIn('limits.example.com', { versions: [versionOf('v1', { schema })] }));
  });
  after(() => server.stop());

  const refusal = async (fields: object): Promise<string> => {
    const { status, text } = await request(server, 'POST', collection, {
      kind: 'Widget',
      metadata: { name: 'a' },
      ...fields,
    });
    assert.equal(status, 422, text.slice(0, 500));
    return text;
  };

  it('match no more text than a pattern can take in time', async () => {
    assert.match(await refusal({ text: 'x'.repeat(100) }), /text in body should match/);
    assert.match(await refusal({ text: 'x'.repeat(1_000_000) }), /there is too much to match with/);
  });

  it('are not compared with more values than that takes in time', async () => {
    const list = Array.from({ length: 5_000 }, () => 'short');
    assert.match(await refusal({ list }), /has too many values for the rules of its schema|should be at least/);
  });
});
