import assert from 'node:assert/strict';
import { alwaysAllowAuthorizer } from '../../../src/authz/always-allow-authorizer.ts';
import { alwaysDenyAuthorizer } from '../../../src/authz/always-deny-authorizer.ts';
import type { AuthorizationAttributes, Authorizer } from '../../../src/authz/authorizer.ts';
import { decideAccess } from '../../../src/authz/decide-access.ts';

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
    assert.equal(
      (await decideAccess([alwaysDenyAuthorizer, alwaysAllowAuthorizer, veto], attributes)).decision,
      'allow',
    );
    assert.deepEqual(await decideAccess([veto, alwaysAllowAuthorizer], attributes), {
      decision: 'deny',
      reason: 'never',
    });
  });

  it('has no opinion if no authorizer has one, and gives the reasons', async () => {
    assert.deepEqual(await decideAccess([alwaysDenyAuthorizer], attributes), {
      decision: 'no-opinion',
      reason: 'Everything is forbidden.',
    });
    assert.equal((await decideAccess([], attributes)).decision, 'no-opinion');
  });

  it('gives the errors of the authorizers that were asked, whatever the decision is', async () => {
    const broken: Authorizer = {
      name: 'broken',
      authorize: async () => ({ decision: 'no-opinion', reason: '', evaluationError: 'no answer' }),
    };
    assert.deepEqual(await decideAccess([broken, alwaysDenyAuthorizer, broken], attributes), {
      decision: 'no-opinion',
      reason: 'Everything is forbidden.',
      evaluationError: '[no answer, no answer]',
    });
    assert.deepEqual(await decideAccess([broken, alwaysAllowAuthorizer], attributes), {
      decision: 'allow',
      reason: '',
      evaluationError: 'no answer',
    });
    assert.equal((await decideAccess([alwaysAllowAuthorizer, broken], attributes)).evaluationError, undefined);
  });
});
