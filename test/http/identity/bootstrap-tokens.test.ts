import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const id = 'abc123';
const secretPart = '0123456789abcdef';
const token = `${id}.${secretPart}`;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');

/** The Secret of a token that is valid. */
function bootstrapSecret(changes: Record<string, string | undefined> = {}) {
  const data = {
    'token-id': id,
    'token-secret': secretPart,
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:workers,system:bootstrappers:a:b',
    expiration: inAnHour(),
    ...changes,
  };
  return {
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.cluster.io/token',
    stringData: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)),
  };
}

describe('bootstrap tokens', () => {
  let server: TestServer;
  const secrets = '/api/v1/namespaces/cl-system/secrets';
  before(async () => {
    server = await startServer({ enableBootstrapTokenAuth: true });
  });
  after(() => server.stop());
  afterEach(() => request(server, 'DELETE', `${secrets}/bootstrap-token-${id}`));

  const store = async (secret: object): Promise<void> => {
    const { status, text } = await request(server, 'POST', secrets, secret);
    assert.equal(status, 201, text);
  };
  const statusWith = async (bearer: string): Promise<number> =>
    (await request(server, 'GET', '/api/v1/namespaces', undefined, { authorization: `Bearer ${bearer}` })).status;
  const userOf = async (bearer: string): Promise<unknown> => {
    const path = '/apis/authentication.cl.io/v1/tokenreviews';
    const { body } = await request(server, 'POST', path, { spec: { token: bearer } });
    return (body as { status: { user: unknown } }).status.user;
  };

  it('are users in the groups of their Secret, until it is deleted', async () => {
    assert.equal(await statusWith(token), 401);
    await store(bootstrapSecret());
    assert.equal(await statusWith(token), 200);
    assert.deepEqual(await userOf(token), {
      username: `system:bootstrap:${id}`,
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:a:b',
        'system:bootstrappers:workers',
        'system:authenticated',
      ],
    });
    await request(server, 'DELETE', `${secrets}/bootstrap-token-${id}`);
    assert.equal(await statusWith(token), 401);
  });

  it('need neither an expiry nor extra groups', async () => {
    await store(bootstrapSecret({ expiration: undefined, 'auth-extra-groups': undefined }));
    assert.deepEqual(await userOf(token), {
      username: `system:bootstrap:${id}`,
      groups: ['system:bootstrappers', 'system:authenticated'],
    });
  });

  const refused: Readonly<Record<string, object>> = {
    'a wrong secret': bootstrapSecret({ 'token-secret': 'f'.repeat(16) }),
    'another id': bootstrapSecret({ 'token-id': 'abc124' }),
    'no secret': bootstrapSecret({ 'token-secret': undefined }),
    'a past expiry': bootstrapSecret({ expiration: '2020-01-01T00:00:00Z' }),
    'an expiry that is no time': bootstrapSecret({ expiration: 'tomorrow' }),
    'no usage': bootstrapSecret({ 'usage-bootstrap-authentication': undefined }),
    'another usage': bootstrapSecret({ 'usage-bootstrap-authentication': 'yes' }),
    'a group of others': bootstrapSecret({ 'auth-extra-groups': 'system:bootstrappers:a,system:masters' }),
    'an empty group': bootstrapSecret({ 'auth-extra-groups': 'system:bootstrappers:' }),
    'another type': { ...bootstrapSecret(), type: 'Opaque' },
  };
  for (const [what, secret] of Object.entries(refused)) {
    it(`are refused with ${what}`, async () => {
      await store(secret);
      assert.equal(await statusWith(token), 401);
    });
  }

  it('are refused in other spellings and from other namespaces', async () => {
    await store(bootstrapSecret());
    for (const other of [`${id}.`, `${token}0`, token.toUpperCase(), `../${token}`, `${id}.${secretPart}.x`]) {
      assert.equal(await statusWith(other), 401, other);
    }
    await request(server, 'DELETE', `${secrets}/bootstrap-token-${id}`);
    await request(server, 'POST', '/api/v1/namespaces/default/secrets', bootstrapSecret());
    assert.equal(await statusWith(token), 401);
  });

  it('are refused unless the server enables them', async () => {
    await using other = await startServer();
    await request(other, 'POST', secrets, bootstrapSecret());
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await request(other, 'GET', '/api/v1/namespaces', undefined, headers)).status, 401);
  });
});
