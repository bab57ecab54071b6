import assert from 'node:assert/strict';
import type { AccessQuestion } from '../../../../src/cli/commands/access/access-question.ts';
import { readPolicy, roleGrants } from '../../../../src/cli/commands/access/role-grants.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { DiscoveredResource } from '../../../../src/client/discovery.ts';
import { StatusError } from '../../../../src/client/error-of-response.ts';

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const bindingTo = (kind: string, name: string) => ({
  metadata: { name: `${name}-users`, namespace: 'default' },
  roleRef: { kind, name },
  subjects: [{ kind: 'User', name: 'ann' }],
});
const items: Readonly<Record<string, readonly object[]>> = {
  roles: [{ metadata: { name: 'reader', namespace: 'default' }, rules }],
  rolebindings: [bindingTo('Role', 'reader'), bindingTo('ClusterRole', 'view')],
};
const names = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
const resources = names.map((resource) => ({ group: 'rbac', version: 'v1', resource, shortNames: [], singular: '' }));

/** A server that lets its user list roles and bindings of namespaces only. */
const client = {
  resource: ({ resource }: { readonly resource: string }) => ({
    async *pages() {
      const found = items[resource];
      if (!found) throw new StatusError({ code: 403, reason: 'Forbidden', message: `no ${resource}` });
      yield await Promise.resolve({ items: found });
    },
  }),
} as unknown as Client;

const source = {
  client,
  resources: resources as unknown as readonly DiscoveredResource[],
  signal: AbortSignal.timeout(60_000),
};

describe('grants of roles', () => {
  it('finds those of the roles that may be read, and reports the kinds that may not', async () => {
    const unread: string[] = [];
    const policy = await readPolicy(source, 'default', (resource) => unread.push(resource));
    const question = { verb: 'get', path: '', group: '', resource: 'pods', subresource: '', namespace: 'default' };
    const asked: AccessQuestion = { ...question, name: '' };
    assert.deepEqual(
      roleGrants(asked, policy).map(({ binding }) => binding.name),
      ['reader-users'],
    );
    assert.deepEqual(unread.toSorted(), ['clusterrolebindings', 'clusterroles']);
  });

  it('fails with the refusal if nobody takes reports', async () => {
    await assert.rejects(readPolicy(source, 'default'), /no cluster/);
  });
});
