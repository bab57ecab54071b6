import assert from 'node:assert/strict';
import type { AuthenticationRequest, Authenticator } from '../../../src/authn/authenticator.ts';
import { findUser } from '../../../src/authn/find-user.ts';
import { anonymous } from '../../../src/meta/user-info.ts';
import { StatusError } from '../../../src/status/status-error.ts';

const request = (bearerToken?: string): AuthenticationRequest => ({
  bearerToken,
  clientCertificate: undefined,
  rawHeaders: [],
  cancellation: { signal: AbortSignal.timeout(60_000) },
});

const knows = (username: string, groups: string[] = []): Authenticator => ({
  name: username,
  authenticate: async () => ({ user: { username, uid: '', groups, extra: {} } }),
});
const silent: Authenticator = { name: 'silent', authenticate: () => undefined };
const refusing: Authenticator = {
  name: 'refusing',
  authenticate() {
    throw new StatusError('Unauthorized', 'Unauthorized');
  },
};
const broken: Authenticator = { name: 'broken', authenticate: () => Promise.reject(new TypeError('bug')) };

const allowed = { anonymous: true };
const unauthorized = { reason: 'Unauthorized', code: 401, message: 'Unauthorized' };

describe('authentication', () => {
  it('takes the first user and adds the group of the authenticated', async () => {
    const user = await findUser([silent, knows('ann', ['dev']), knows('bob')], request('t'), allowed);
    assert.deepEqual(user, { username: 'ann', uid: '', groups: ['dev', 'system:authenticated'], extra: {} });
  });

  it('adds that group once', async () => {
    const user = await findUser([knows('ann', ['system:authenticated'])], request(), allowed);
    assert.deepEqual(user.groups, ['system:authenticated']);
  });

  it('answers the anonymous user where nothing was presented and that is allowed', async () => {
    assert.equal(await findUser([silent], request(), allowed), anonymous);
    await assert.rejects(async () => findUser([silent], request(), { anonymous: false }), unauthorized);
  });

  it('answers 401 to a token that nobody knows', async () => {
    await assert.rejects(async () => findUser([silent], request('wrong'), allowed), unauthorized);
  });

  it('answers 401 to a refused credential, unless another one is recognised', async () => {
    await assert.rejects(async () => findUser([refusing, silent], request(), allowed), unauthorized);
    assert.equal((await findUser([refusing, knows('ann')], request(), allowed)).username, 'ann');
  });

  it('lets other errors pass', async () => {
    await assert.rejects(async () => findUser([broken], request(), allowed), TypeError);
  });
});
