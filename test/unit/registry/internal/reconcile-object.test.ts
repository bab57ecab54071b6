import assert from 'node:assert/strict';
import type { ResourceRegistry } from '../../../../src/registry/definition/registry.ts';
import { changeObject } from '../../../../src/registry/internal/reconcile-object.ts';
import { child, type Fixture, parsed, startFixture, write } from '../fixture.ts';

describe('a change of an object of the system', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ builtIn: true });
  });
  afterEach(() => fixture.close());

  it('reaches an object that the cache does not have yet', async () => {
    const registry = fixture.registry('configmaps');
    await registry.create(fixture.scope({}), { metadata: { name: 'a' } }, write);
    // A cache that is a moment late.
    const late: ResourceRegistry = {
      ...registry,
      get: (scope, at) => registry.get(at.kind === 'any' ? { ...scope, name: 'absent' } : scope, at),
    };
    const scope = fixture.scope({ name: 'a' });
    await changeObject(late, scope, (found) => ({ ...found, data: { k: 'v' } }));
    const stored = parsed(await registry.get(scope, { kind: 'latest' }));
    assert.deepEqual(child(stored, 'data'), { k: 'v' });
    await assert.doesNotReject(changeObject(late, fixture.scope({ name: 'b' }), (found) => found));
  });
});
