import assert from 'node:assert/strict';
import { abac } from '../../../src/authz/abac/abac.ts';
import { alwaysDenyAuthorizer } from '../../../src/authz/always-deny-authorizer.ts';
import type { Authorizer } from '../../../src/authz/authorizer.ts';
import { listRules } from '../../../src/authz/list-rules.ts';
import { privilegedGroup } from '../../../src/authz/privileged-group.ts';
import { noRules } from '../../../src/authz/user-rules.ts';
import { user } from './attributes.ts';

const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const anyPath = { verbs: ['*'], nonResourceURLs: ['*'] };

describe('the list of the rules of a user', () => {
  it('has the rules of all authorizers, each once', async () => {
    const other: Authorizer = {
      name: 'Other',
      authorize: () => ({ decision: 'no-opinion', reason: '' }),
      rulesFor: () => ({ ...noRules, resourceRules: [all, { ...all, verbs: ['get'] }] }),
    };
    const rules = await listRules(
      [privilegedGroup('system:masters'), other, alwaysDenyAuthorizer],
      user('a', 'system:masters'),
      'n',
    );
    assert.deepEqual(rules, {
      resourceRules: [all, { ...all, verbs: ['get'] }],
      nonResourceRules: [anyPath],
      incomplete: false,
      evaluationError: '',
    });
  });

  it('is incomplete if an authorizer cannot list its rules', async () => {
    const webhook: Authorizer = { name: 'Webhook', authorize: () => ({ decision: 'no-opinion', reason: '' }) };
    assert.deepEqual(await listRules([webhook, privilegedGroup('system:masters')], user('a'), 'n'), {
      ...noRules,
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });

  it('has the policies of a file for a user and a namespace', async () => {
    const policy = {
      user: 'a',
      group: '',
      readonly: true,
      apiGroup: '',
      resource: '',
      namespace: '',
      nonResourcePath: '',
    };
    const policies = [
      { ...policy, namespace: 'n', resource: 'pods', apiGroup: '*' },
      { ...policy, namespace: 'other', resource: 'secrets', readonly: false },
      { ...policy, nonResourcePath: '/version', readonly: false },
      { ...policy, user: 'b', namespace: '*', resource: '*' },
    ];
    const rules = await listRules([abac(policies)], user('a'), 'n');
    assert.deepEqual(rules.resourceRules, [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['pods'] }]);
    assert.deepEqual(rules.nonResourceRules, [{ verbs: ['*'], nonResourceURLs: ['/version'] }]);
  });
});
