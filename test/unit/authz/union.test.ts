import assert from 'node:assert/strict';
import { alwaysAllowAuthorizer } from '../../../src/authz/always-allow-authorizer.ts';
import { alwaysDenyAuthorizer } from '../../../src/authz/always-deny-authorizer.ts';
import type { AuthorizationAttributes, Authorizer } from '../../../src/authz/authorizer.ts';
import { authorize } from '../../../src/authz/union.ts';

const attributes: AuthorizationAttributes = {
  user: { username: 'ann', uid: '', groups: [], extra: {} },
  verb: 'get',
  resourceRequest: true,
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'p',
  path: '',
};
const veto: Authorizer = { name: 'veto', authorize: async () => ({ decision: 'deny', reason: 'never' }) };

describe('authorization', () => {
  it('ends with the first allow or deny', async () => {
    assert.equal((await authorize([alwaysDenyAuthorizer, alwaysAllowAuthorizer, veto], attributes)).decision, 'allow');
    assert.deepEqual(await authorize([veto, alwaysAllowAuthorizer], attributes), { decision: 'deny', reason: 'never' });
  });

  it('has no opinion if no authorizer has one, and gives the reasons', async () => {
    assert.deepEqual(await authorize([alwaysDenyAuthorizer], attributes), {
      decision: 'no-opinion',
      reason: 'Everything is forbidden.',
    });
    assert.equal((await authorize([], attributes)).decision, 'no-opinion');
  });

  it('gives the errors of the authorizers that were asked, whatever the decision is', async () => {
    const broken: Authorizer = {
      name: 'broken',
      authorize: async () => ({ decision: 'no-opinion', reason: '', evaluationError: 'no answer' }),
    };
    assert.deepEqual(await authorize([broken, alwaysDenyAuthorizer, broken], attributes), {
      decision: 'no-opinion',
      reason: 'Everything is forbidden.',
      evaluationError: '[no answer, no answer]',
    });
    assert.deepEqual(await authorize([broken, alwaysAllowAuthorizer], attributes), {
      decision: 'allow',
      reason: '',
      evaluationError: 'no answer',
    });
    assert.equal((await authorize([alwaysAllowAuthorizer, broken], attributes)).evaluationError, undefined);
  });
});
