import assert from 'node:assert/strict';
import { alwaysAllow } from '../../../src/authz/always-allow.ts';
import { alwaysDeny } from '../../../src/authz/always-deny.ts';
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
    assert.equal((await authorize([alwaysDeny, alwaysAllow, veto], attributes)).decision, 'allow');
    assert.deepEqual(await authorize([veto, alwaysAllow], attributes), { decision: 'deny', reason: 'never' });
  });

  it('denies if no authorizer has an opinion, and gives the reasons', async () => {
    assert.deepEqual(await authorize([alwaysDeny], attributes), {
      decision: 'deny',
      reason: 'Everything is forbidden.',
    });
    assert.equal((await authorize([], attributes)).decision, 'deny');
  });
});
