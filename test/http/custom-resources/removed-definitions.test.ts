import assert from 'node:assert/strict';
import { queryObjects } from 'node:v8';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { CachedResource } from '../../../src/storage/cache/cached-resource.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { openWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.cl.io' };

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { code: { type: 'string', pattern: '^[a-z]+$', maxLength: 9, default: 'a' } },
      'x-cluster-validations': [{ rule: 'self.code.size() < 8' }],
    },
  },
};

/** Reads and writes of a kind in each way for which a server may keep something. */
async function use(server: TestServer, group: string): Promise<void> {
  const version = versionOf('v1', { schema: { openAPIV3Schema: schema }, subresources: { status: {} } });
  const other = { ...version, name: 'v2', storage: false };
  await define(server, widgetsIn(group, { versions: [version, other] }));
  const widget = { kind: 'Widget', metadata: { name: 'a' }, spec: { code: 'b' } };
  assert.equal((await request(server, 'POST', widgetsAt(group), widget)).status, 201);
  const watch = await openWatch(server, `${widgetsAt(group)}?watch=1`);
  const applied = { ...widget, apiVersion: `${group}/v2`, spec: { code: 'c' } };
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const at = `${widgetsAt(group, 'v2')}/a?fieldManager=one&force=true`;
  assert.equal((await request(server, 'PATCH', at, applied, apply)).status, 200);
  const reads = [`/openapi/v3/apis/${group}/v1`, '/openapi/v3', '/openapi/v2', '/apis', `/apis/${group}/v1`];
  for (const path of [...reads, `${widgetsAt(group)}/a`, widgetsAt(group, 'v2')]) {
    assert.equal((await request(server, 'GET', path)).status, 200, path);
  }
  assert.equal((await request(server, 'GET', widgetsAt(group), undefined, table)).status, 200);
  watch.stop();
  assert.equal((await request(server, 'DELETE', `${definitions}/widgets.${group}`)).status, 200);
  await until('the end of the kind', async () => (await request(server, 'GET', widgetsAt(group))).status === 404);
}

/** The caches that something in this process still refers to, after a collection of garbage. */
function keptCaches(): number {
  return queryObjects(CachedResource, { format: 'count' });
}

describe('definitions that were used and removed', () => {
  it('leave no cache, and so no compiled schema, in memory', async () => {
    await using server = await startServer({ store: 'memory' });
    await use(server, 'first.example.com');
    const before = keptCaches();
    for (let round = 0; round < 4; round++) await use(server, `round${round}.example.com`);
    // The last requests are those of the collector of objects.
    let kept = Number.POSITIVE_INFINITY;
    await until('the caches to be collected', () => {
      kept = keptCaches();
      return kept <= before;
    });
    assert.ok(kept <= before, `${kept} caches, ${before} before`);
  });
});
