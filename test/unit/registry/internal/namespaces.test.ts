import assert from 'node:assert/strict';
import { ensureNamespaces } from '../../../../src/registry/internal/ensure-namespaces.ts';
import { type Fixture, identifiers, refusal, remove, startFixture, write, type KindStrategy } from '../fixture.ts';

const strategies: readonly KindStrategy[] = [
  {
    group: '',
    resource: 'namespaces',
    strategy: {
      holdsDeletion: () => true,
      prepareForDelete: (namespace) => {
        namespace['status'] = { phase: 'Terminating' };
      },
      selectableFields: ['status.phase'],
      fieldsOf: (namespace) => ({
        'status.phase': JSON.stringify(namespace['status'] ?? '').includes('Term') ? 'Terminating' : '',
      }),
    },
  },
];

describe('namespaces and their content', () => {
  let fixture: Fixture;
  const { signal } = new AbortController();
  beforeEach(async () => {
    fixture = startFixture({ strategies, lifecycle: true });
    await ensureNamespaces(fixture.registries, identifiers, signal);
  });
  afterEach(() => fixture.close());
  const namespaces = () => fixture.registry('namespaces');
  const root = (name = '') => fixture.scope({ namespace: '', name });
  const createIn = (namespace: string) =>
    fixture.registry('configmaps').create(fixture.scope({ namespace }), { metadata: { name: 'a' } }, write);

  it('has the system namespaces after the start, however many servers start', async () => {
    await Promise.all([1, 2, 3].map(() => ensureNamespaces(fixture.registries, identifiers, signal)));
    const { items } = await namespaces().list(root(), { at: { kind: 'latest' }, limit: 0 });
    assert.equal(items.length, 4);
    assert.match(items.map(({ json }) => json.toString()).join(), /kube-node-lease.*kube-public.*kube-system/s);
  });

  it('creates nothing where there is no namespace', async () => {
    const error = await refusal(createIn('missing'));
    assert.equal(error.code, 404);
    assert.equal(error.message, 'namespaces "missing" not found');
  });

  it('creates in a namespace that was made a moment ago', async () => {
    await namespaces().create(root(), { metadata: { name: 'n' } }, write);
    await createIn('n');
  });

  it('creates nothing in a namespace that is being deleted', async () => {
    await namespaces().create(root(), { metadata: { name: 'n' } }, write);
    await createIn('n');
    await namespaces().delete(root('n'), remove);
    // Other requests learn of it when the cache does.
    await namespaces().get(root('n'), { kind: 'latest' });
    const error = await refusal(
      fixture.registry('secrets').create(fixture.scope({ namespace: 'n' }), { metadata: { name: 'b' } }, write),
    );
    assert.equal(error.code, 403);
    assert.equal(
      error.message,
      'secrets "b" is forbidden: unable to create new content in namespace n because it is being terminated',
    );
    assert.deepEqual(error.details?.causes, [
      { reason: 'NamespaceTerminating', message: 'namespace n is being terminated', field: 'metadata.namespace' },
    ]);
  });

  for (const name of ['default', 'kube-system', 'kube-public']) {
    it(`does not delete ${name}`, async () => {
      const error = await refusal(namespaces().delete(root(name), remove));
      assert.equal(error.code, 403);
      assert.equal(error.message, `namespaces "${name}" is forbidden: this namespace may not be deleted`);
    });
  }
});
