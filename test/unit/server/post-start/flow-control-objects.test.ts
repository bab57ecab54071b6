import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createRbac } from '../../../../src/authz/rbac/rbac.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../../src/meta/read-field.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { systemScope, systemWrite } from '../../../../src/registry/internal/ensure-object.ts';
import { createApiCache } from '../../../../src/server/cache/api-cache.ts';
import { type ApiCore, createApiCore } from '../../../../src/server/api-core.ts';
import { ensureFlowControlObjects } from '../../../../src/server/post-start/flow-control-objects.ts';
import { defaultServerOptions } from '../../../../src/config/server-options.ts';
import { MemoryStore } from '../../../../src/storage/memory/memory-store.ts';

const { signal } = new AbortController();

describe('the default objects of flow control', () => {
  let store: MemoryStore;
  let core: ApiCore;
  beforeEach(() => {
    store = new MemoryStore();
    const context = { store, metrics: new MetricsRegistry(), log: pino({ level: 'silent' }) };
    const cache = createApiCache(defaultServerOptions, context);
    const rbac = createRbac({ ...cache, warm: false, signal });
    core = createApiCore(defaultServerOptions, {
      ...context,
      cache,
      signal: new AbortController().signal,
      authorizers: [],
      rbac,
    });
  });
  afterEach(async () => {
    await core.caches.close();
    await store.close();
  });

  function at(resource: string, name: string) {
    const registry = core.registries.forResource(core.identifiers.flowControlGroup, resource);
    assert.ok(registry);
    return { registry, scope: { ...systemScope(core.identifiers, registry, signal), name } };
  }
  async function read(resource: string, name: string): Promise<JsonObject> {
    const { registry, scope } = at(resource, name);
    const { json } = await registry.get(scope, { kind: 'latest' });
    return JSON.parse(json.toString('utf8')) as JsonObject;
  }
  /** Changes the shares of a level, and its annotation. */
  async function change(name: string, shares: number, autoUpdate: string): Promise<void> {
    const { registry, scope } = at('prioritylevelconfigurations', name);
    const level = await read('prioritylevelconfigurations', name);
    objectAt(level, 'spec', 'limited')['assuredConcurrencyShares'] = shares;
    objectAt(level, 'metadata')['annotations'] = { 'apf.cluster.io/autoupdate-spec': autoUpdate };
    await registry.update(scope, level, systemWrite(core.identifiers));
  }
  const sharesOf = async (name: string): Promise<unknown> =>
    objectAt(await read('prioritylevelconfigurations', name), 'spec', 'limited')['assuredConcurrencyShares'];

  it('exist after the start, with statuses, and nothing is written at the next one', async () => {
    await ensureFlowControlObjects({ ...core, release: '1.23' }, signal);
    const schema = await read('flowschemas', 'catch-all');
    const [condition] = objectsAt(objectAt(schema, 'status'), 'conditions');
    assert.equal(condition?.['type'], 'Dangling');
    assert.equal(condition?.['status'], 'False');
    const { revision } = await store.status({ signal });
    await ensureFlowControlObjects({ ...core, release: '1.23' }, signal);
    assert.equal((await store.status({ signal })).revision, revision);
  });

  it('get their specification back, unless an administrator has said that they are changed', async () => {
    await ensureFlowControlObjects({ ...core, release: '1.23' }, signal);
    await change('workload-low', 7, 'true');
    await change('workload-high', 7, 'false');
    await change('catch-all', 7, 'false');
    await ensureFlowControlObjects({ ...core, release: '1.23' }, signal);
    const shares = await Promise.all(['workload-low', 'workload-high', 'catch-all'].map(sharesOf));
    assert.deepEqual(shares, [100, 7, 5], 'the last one is mandatory');
  });
});
