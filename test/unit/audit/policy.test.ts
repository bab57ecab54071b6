import assert from 'node:assert/strict';
import { decideAudit } from '../../../src/audit/policy.ts';
import { readPolicy } from '../../../src/audit/read-policy.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const ann = { username: 'ann', uid: '', groups: ['dev', 'ops'], extra: {} };

/** A request in short: `get apps/deployments/scale n x`, or `get /path`. */
function attributes(text: string, user: typeof ann | undefined = ann) {
  const [verb = '', where = '', namespace = '', name = ''] = text.split(' ');
  if (where.startsWith('/')) return { user, verb, target: undefined, path: where };
  const [group = '', resource = '', subresource = ''] = where.split(':');
  return { user, verb, target: { group, resource, subresource, namespace, name }, path: '' };
}

const cases: readonly (readonly [rule: JsonObject, request: string, matches: boolean])[] = [
  [{}, 'get :pods n x', true],
  [{}, 'get /healthz', true],
  [{ users: ['ann'] }, 'get :pods n x', true],
  [{ users: ['bob'] }, 'get :pods n x', false],
  [{ userGroups: ['none', 'ops'] }, 'get :pods n x', true],
  [{ userGroups: ['none'] }, 'get :pods n x', false],
  [{ verbs: ['list', 'get'] }, 'get /healthz', true],
  [{ verbs: ['list'] }, 'get :pods n x', false],
  [{ namespaces: ['n'] }, 'get :pods n x', true],
  [{ namespaces: ['m'] }, 'get :pods n x', false],
  [{ namespaces: [''] }, 'get :nodes', true],
  [{ namespaces: ['n'] }, 'get /healthz', false],
  [{ resources: [{ group: '' }] }, 'get :pods n x', true],
  [{ resources: [{ group: '' }] }, 'get apps:deployments n x', false],
  [{ resources: [{ group: 'apps' }, { group: '' }] }, 'get :pods n x', true],
  [{ resources: [{ group: '', resources: ['pods'] }] }, 'get :pods n x', true],
  [{ resources: [{ group: '', resources: ['pods'] }] }, 'get :pods:log n x', false],
  [{ resources: [{ group: '', resources: ['pods/log'] }] }, 'get :pods:log n x', true],
  [{ resources: [{ group: '', resources: ['pods/log'] }] }, 'get :pods n x', false],
  [{ resources: [{ group: '', resources: ['pods/*'] }] }, 'get :pods:log n x', true],
  [{ resources: [{ group: '', resources: ['pods/*'] }] }, 'get :pods n x', true],
  [{ resources: [{ group: '', resources: ['*/log'] }] }, 'get :pods:log n x', true],
  [{ resources: [{ group: '', resources: ['*/log'] }] }, 'get :pods n x', false],
  [{ resources: [{ group: '', resources: ['*/status'] }] }, 'get :pods:log n x', false],
  [{ resources: [{ group: '', resources: ['*'] }] }, 'get :pods:log n x', true],
  [{ resources: [{ group: '', resources: ['pods'], resourceNames: ['x'] }] }, 'get :pods n x', true],
  [{ resources: [{ group: '', resources: ['pods'], resourceNames: ['y'] }] }, 'get :pods n x', false],
  [{ resources: [{ group: '' }] }, 'get /healthz', false],
  [{ nonResourceURLs: ['/healthz'] }, 'get /healthz', true],
  [{ nonResourceURLs: ['/healthz'] }, 'get /healthz/etcd', false],
  [{ nonResourceURLs: ['/healthz*'] }, 'get /healthz/etcd', true],
  [{ nonResourceURLs: ['*'] }, 'get /any', true],
  [{ nonResourceURLs: ['*'] }, 'get :pods n x', false],
  [{ users: ['ann'], verbs: ['list'] }, 'get :pods n x', false],
];

describe('audit policies', () => {
  for (const [rule, request, matches] of cases) {
    it(`${matches ? 'matches' : 'does not match'} ${request} by ${JSON.stringify(rule)}`, () => {
      const policy = readPolicy({ rules: [{ level: 'Request', ...rule }, { level: 'Metadata' }] });
      assert.equal(decideAudit(policy, attributes(request)).level, matches ? 'Request' : 'Metadata');
    });
  }

  it('matches no rule for users or groups with a caller whose credentials were refused', () => {
    const policy = readPolicy({
      rules: [
        { level: 'Request', users: ['ann'] },
        { level: 'Metadata', userGroups: ['dev'] },
      ],
    });
    assert.equal(decideAudit(policy, { ...attributes('get :pods n x'), user: undefined }).level, 'None');
  });

  it('adds the stages that a rule omits to those of the policy', () => {
    const rules = [{ level: 'Metadata', omitStages: ['ResponseStarted'] }];
    const policy = readPolicy({ omitStages: ['RequestReceived'], rules });
    const { omitStages } = decideAudit(policy, attributes('get :pods n x'));
    assert.deepEqual([...omitStages].toSorted(), ['RequestReceived', 'ResponseStarted']);
  });

  it('lets a rule keep the managed fields that the policy leaves out', () => {
    const rules: JsonObject[] = [{ level: 'Request', verbs: ['get'], omitManagedFields: false }, { level: 'Request' }];
    const policy = readPolicy({ omitManagedFields: true, rules });
    assert.equal(decideAudit(policy, attributes('get :pods n x')).omitManagedFields, false);
    assert.equal(decideAudit(policy, attributes('list :pods n')).omitManagedFields, true);
  });
});
