import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { reconcileDefaultRoles } from '../../../../src/server/post-start/reconcile-default-roles.ts';
import { defaultObjects } from '../../../../src/resources/rbac.authorization/defaults/default-objects.ts';
import { type Fixture, identifiers, startFixture, write } from '../../registry/fixture.ts';

const group = 'rbac.authorization.k8s.io';

describe('the default roles of a server that starts', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture({ builtIn: true });
    await reconcile();
  });
  afterEach(() => fixture.close());

  const reconcile = () =>
    reconcileDefaultRoles(
      { ...fixture, identifiers, release: '1.23', isFeatureEnabled: () => false },
      new AbortController().signal,
    );
  const scopeOf = (name: string) => fixture.scope({ group, namespace: '', name });
  const read = async (resource: string, name: string): Promise<JsonObject> => {
    const { json } = await fixture.registry(resource, group).get(scopeOf(name), { kind: 'latest' });
    return JSON.parse(json.toString()) as JsonObject;
  };
  const change = async (resource: string, name: string, document: JsonObject): Promise<void> => {
    const patch = { type: 'merge', document, duplicateFields: [] } as const;
    await fixture.registry(resource, group).patch(scopeOf(name), patch, write);
  };

  it('are created, and not written again', async () => {
    const before = await fixture.revision();
    await reconcile();
    assert.equal(await fixture.revision(), before);
    const { items } = await fixture
      .registry('clusterroles', group)
      .list(scopeOf(''), { at: { kind: 'latest' }, limit: 0 });
    const expected = defaultObjects(identifiers, {
      selfReviews: true,
      release: '1.23',
      isFeatureEnabled: () => false,
    }).filter(({ resource }) => resource === 'clusterroles');
    assert.equal(items.length, expected.length);
  });

  it('get back missing rules, labels and subjects, and keep those that were added', async () => {
    const added = { verbs: ['get'], nonResourceURLs: ['/own'] };
    await change('clusterroles', 'system:discovery', { metadata: { labels: { own: 'true' } }, rules: [added] });
    const own = { kind: 'User', apiGroup: group, name: 'own' };
    await change('clusterrolebindings', 'system:discovery', { metadata: { labels: null }, subjects: [own] });
    await reconcile();
    const role = await read('clusterroles', 'system:discovery');
    const { labels } = role['metadata'] as { labels: JsonObject };
    assert.deepEqual(labels, { own: 'true', 'kubernetes.io/bootstrapping': 'rbac-defaults' });
    const rules = role['rules'] as { nonResourceURLs: string[] }[];
    assert.deepEqual(rules[0], added);
    assert.deepEqual(rules.flatMap(({ nonResourceURLs }) => nonResourceURLs).includes('/healthz'), true);
    const binding = await read('clusterrolebindings', 'system:discovery');
    assert.deepEqual(binding['subjects'], [own, { kind: 'Group', apiGroup: group, name: 'system:authenticated' }]);
    assert.deepEqual((binding['metadata'] as JsonObject)['labels'], { 'kubernetes.io/bootstrapping': 'rbac-defaults' });
  });

  it('are left alone if they opt out', async () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await change('clusterroles', 'system:discovery', { metadata: { annotations }, rules: null });
    await reconcile();
    const role = await read('clusterroles', 'system:discovery');
    assert.equal(role['rules'] ?? null, null);
  });

  it('are created again if they were deleted or bind another role', async () => {
    await fixture.registry('clusterroles', group).delete(scopeOf('view'), { dryRun: false });
    const bindings = fixture.registry('clusterrolebindings', group);
    await bindings.delete(scopeOf('system:basic-user'), { dryRun: false });
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
    await bindings.create(scopeOf(''), { metadata: { name: 'system:basic-user' }, roleRef }, write);
    await reconcile();
    assert.ok(await read('clusterroles', 'view'));
    const binding = await read('clusterrolebindings', 'system:basic-user');
    assert.deepEqual(binding['roleRef'], { ...roleRef, name: 'system:basic-user' });
  });

  it('keep the rules of aggregated roles, and get back their selectors', async () => {
    await change('clusterroles', 'view', {
      aggregationRule: null,
      rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    });
    await reconcile();
    const role = await read('clusterroles', 'view');
    assert.deepEqual(role['rules'], [{ verbs: ['get'], nonResourceURLs: ['/x'] }]);
    assert.deepEqual(role['aggregationRule'], {
      clusterRoleSelectors: [{ matchLabels: { [`${group}/aggregate-to-view`]: 'true' } }],
    });
  });
});
