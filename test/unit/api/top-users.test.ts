import assert from 'node:assert/strict';
import { TopUsers } from '../../../src/api/observation/top-users.ts';

describe('the busiest users', () => {
  it('are counted in bounded memory, whatever others send', () => {
    const users = new TopUsers(10);
    for (let index = 0; index < 10_000; index++) {
      users.add(`once-${index}`);
      if (index % 4 === 0) users.add('busy');
    }
    const [first, ...others] = users.list();
    assert.equal(first?.user, 'busy');
    assert.equal(others.length, 9);
    assert.ok(first.requests - first.overcount <= 2_500 && first.requests >= 2_500, JSON.stringify(first));
  });

  it('have names of bounded length', () => {
    const users = new TopUsers(2);
    users.add('x'.repeat(10_000));
    users.add('x'.repeat(10_000));
    assert.deepEqual(
      users.list().map(({ user, requests }) => [user.length, requests]),
      [[256, 2]],
    );
  });
});
