import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { request } from '../http-client.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

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

describe('the limits of a definition', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const refused: readonly (readonly [title: string, version: JsonObject, error: RegExp])[] = [
    [
      'patterns that take long to compile',
      withProperties(Array.from({ length: 100 }, (_, index) => `^(?:[a-z]{${index + 900}})$`)),
      /its patterns have \d+ characters, with repetitions written out; at most 20000 are allowed/,
    ],
    [
      'thousands of columns',
      {
        additionalPrinterColumns: Array.from({ length: 15_000 }, (_, index) => ({
          name: `c${index}`,
          type: 'string',
          jsonPath: '.spec',
        })),
      },
      /additionalPrinterColumns: Too many: 15000: must have at most 100 items/,
    ],
  ];
  for (const [title, version, error] of refused) {
    it(`keep out ${title}`, async () => {
      const definition = widgetsIn('refused.example.com', { versions: [versionOf('v1', version)] });
      const answer = await request(server, 'POST', definitions, definition);
      assert.equal(answer.status, 422, answer.text.slice(0, 500));
      assert.match(answer.text, error);
    });
  }

  it('let the first object of a kind with many patterns wait for none of the others', async () => {
    const group = 'patterns.example.com';
    const patterns = Array.from({ length: 2_000 }, (_, index) => `^[a-z0-9]([-a-z0-9]*[a-z0-9])?${index % 300}$`);
    await define(server, widgetsIn(group, { versions: [versionOf('v1', withProperties(patterns))] }));
    const fields = Object.fromEntries(patterns.map((_, index) => [`f${index}`, `x${index % 300}`]));
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, ...fields };
    const { result: created, blockMs } = await measureBlocks(() => request(server, 'POST', widgetsAt(group), widget));
    assert.equal(created.status, 201, created.text.slice(0, 500));
    assert.ok(blockMs < longestBlockMs, `blocked for ${blockMs} ms`);
  });
});

function withProperties(patterns: readonly string[]): JsonObject {
  const properties = Object.fromEntries(patterns.map((pattern, index) => [`f${index}`, { type: 'string', pattern }]));
  return { schema: { openAPIV3Schema: { type: 'object', properties } } };
}
