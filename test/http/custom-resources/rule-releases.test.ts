import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, definitions, established, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'releases.example.com';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The versions of a definition whose objects keep some rules. */
function versionsWith(...rules: string[]): JsonObject {
  const spec = {
    type: 'object',
    properties: {
      range: { type: 'string', maxLength: 40 },
      numbers: { type: 'array', maxItems: 9, items: { type: 'integer' } },
    },
    'x-cluster-validations': rules.map((rule) => ({ rule })),
  };
  return { versions: [versionOf('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })] };
}

const sorted = 'self.numbers == self.numbers.sort()';
const range = 'isCIDR(self.range)';

describe('rules with functions that came with a release', () => {
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let newer: TestServer;
  let older: TestServer;

  before(async () => {
    served = await serveObjectStore(new MemoryStore(), '127.0.0.1:0');
    const store = { kind: 'remote', endpoint: served.endpoint } as const;
    newer = await startServer({ store, emulatedRelease: '1.36' });
    older = await startServer({ store, emulatedRelease: '1.30' });
    await define(newer, widgetsIn(group, versionsWith(sorted)));
    await established(older, widgetsIn(group));
  });
  after(async () => {
    await older.stop();
    await newer.stop();
    await served.close();
  });

  const replaceRules = (...rules: string[]): ReturnType<typeof request> =>
    request(older, 'PATCH', `${definitions}/widgets.${group}`, { spec: versionsWith(...rules) }, mergePatch);

  it('go on working under an older release that knows them', async () => {
    const widget = (name: string, numbers: number[]): JsonObject => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name },
      spec: { numbers, range: '10.0.0.0/8' },
    });
    const refused = await request(older, 'POST', widgetsAt(group), widget('a', [2, 1]));
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /failed rule: self\.numbers == self\.numbers\.sort\(\)/);
    assert.equal((await request(older, 'POST', widgetsAt(group), widget('b', [1, 2]))).status, 201);
  });

  it('are refused in a new rule, and kept in a definition that has them', async () => {
    const refused = await replaceRules(sorted, range);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /undeclared reference to 'isCIDR'/);
    assert.doesNotMatch(refused.text, /sort/);
    const kept = await replaceRules(sorted, 'self.numbers.size() < 9');
    assert.equal(kept.status, 200, kept.text);
  });
});
