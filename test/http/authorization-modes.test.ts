import assert from 'node:assert/strict';
import type { ServerOptions } from '../../src/server/index.ts';
import { startServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const namespaces = '/api/v1/namespaces';
const tokens = [{ token: 'someone', username: 'someone', groups: [] }];

/** The status of a list of Namespaces by an ordinary user and by an administrator. */
async function statusesWith(options: Partial<ServerOptions>): Promise<readonly number[]> {
  await using server = await startServer({ tokens, ...options, store: 'memory' });
  const someone = await request({ ...server, token: 'someone' }, 'GET', namespaces);
  const administrator = await request(server, 'GET', namespaces);
  return [someone.status, administrator.status];
}

describe('authorization modes', () => {
  it('are asked in order until one decides', async () => {
    assert.deepEqual(await statusesWith({ authorizationMode: 'AlwaysAllow' }), [200, 200]);
    assert.deepEqual(await statusesWith({ authorizationMode: ['AlwaysDeny', 'AlwaysAllow'] }), [200, 200]);
  });

  it('cannot exclude the members of system:masters', async () => {
    assert.deepEqual(await statusesWith({ authorizationMode: ['AlwaysDeny'] }), [403, 200]);
  });

  it('that have no opinion do not deny', async () => {
    await using server = await startServer({ tokens, authorizationMode: 'AlwaysDeny', store: 'memory' });
    const spec = { user: 'someone', resourceAttributes: { verb: 'get', resource: 'pods' } };
    const response = await request(server, 'POST', '/apis/authorization.cl.io/v1/subjectaccessreviews', { spec });
    const { status } = response.body as { status: object };
    assert.deepEqual(status, { allowed: false, reason: 'Everything is forbidden.' });
  });

  it('must be given', async () => {
    await assert.rejects(statusesWith({ authorizationMode: [] }), /at least one authorization mode must be given/);
  });
});
