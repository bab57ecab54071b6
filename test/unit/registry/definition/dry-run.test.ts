import assert from 'node:assert/strict';
import type {
  DeleteOptions,
  RequestScope,
  ResourceRegistry,
  WriteOptions,
} from '../../../../src/registry/definition/registry.ts';
import { type Fixture, startFixture, write } from '../fixture.ts';

const dry: WriteOptions & DeleteOptions = { ...write, dryRun: true };
const addition = { op: 'add', path: '/data', value: { x: 'y' } };
const all = { at: { kind: 'latest' }, limit: 0 } as const;

const verbs: Readonly<Record<string, (maps: ResourceRegistry, scope: RequestScope) => Promise<unknown>>> = {
  create: (maps, scope) => maps.create(scope, { metadata: { name: 'new' } }, dry),
  update: (maps, scope) => maps.update(scope, { metadata: { name: 'a' }, data: { x: 'y' } }, dry),
  'update of an object with its last finalizer': (maps, scope) =>
    maps.update({ ...scope, name: 'held' }, { metadata: { name: 'held' } }, dry),
  'merge patch': (maps, scope) =>
    maps.patch(scope, { type: 'merge', document: { data: { x: 'y' } }, duplicateFields: [] }, dry),
  'JSON patch': (maps, scope) => maps.patch(scope, { type: 'json', operations: [addition], duplicateFields: [] }, dry),
  delete: (maps, scope) => maps.delete(scope, dry),
  'delete that would wait': (maps, scope) => maps.delete(scope, { ...dry, propagationPolicy: 'Foreground' }),
  deletecollection: (maps, scope) => maps.deleteCollection(scope, all, dry),
};

describe('registry in a dry run', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture();
    const maps = fixture.registry('configmaps');
    await maps.create(fixture.scope(), { metadata: { name: 'a' } }, write);
    await maps.create(fixture.scope(), { metadata: { name: 'held', finalizers: ['x.io/hold'] } }, write);
    await maps.delete(fixture.scope({ name: 'held' }), { dryRun: false });
  });
  afterEach(() => fixture.close());

  for (const [verb, run] of Object.entries(verbs)) {
    it(`does not touch the store: ${verb}`, async () => {
      const before = await fixture.revision();
      await run(fixture.registry('configmaps'), fixture.scope({ name: 'a' }));
      assert.equal(await fixture.revision(), before);
    });
  }
});
