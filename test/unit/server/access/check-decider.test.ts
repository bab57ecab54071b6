import assert from 'node:assert/strict';
import type { AuthorizationAttributes, Authorizer } from '../../../../src/authz/authorizer.ts';
import { checkDecider } from '../../../../src/server/access/check-decider.ts';

const user = { username: 'ann', uid: '', groups: [], extra: {} };
const check = {
  verb: 'list',
  path: '',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'n',
  name: '',
  fieldSelector: 'spec.nodeName=n1',
  labelSelector: 'a in (b)',
};

describe('the checks of expressions', () => {
  it('show authorizers their selectors, in releases whose authorizers read them', async () => {
    const seen: AuthorizationAttributes[] = [];
    const authorizer: Authorizer = {
      name: 'spy',
      authorize: (attributes) => {
        seen.push(attributes);
        return { decision: 'allow', reason: 'it may' };
      },
    };
    const answer = { allowed: true, reason: 'it may', error: '' };
    assert.deepEqual(await checkDecider([authorizer], true)(user, check), answer);
    assert.deepEqual(await checkDecider([authorizer], false)(user, check), answer);
    assert.deepEqual(seen[0]?.fieldSelector, [{ field: 'spec.nodeName', operator: '=', value: 'n1' }]);
    assert.deepEqual(seen[0]?.labelSelector, [{ key: 'a', operator: 'in', values: ['b'] }]);
    assert.deepEqual([seen[1]?.fieldSelector, seen[1]?.labelSelector], [undefined, undefined]);
  });
});
