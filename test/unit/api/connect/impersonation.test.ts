import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { newDeferred } from '../../../../src/async/deferred.ts';
import type { Authenticator } from '../../../../src/authn/authenticator.ts';
import type { AuthorizationAttributes, Authorizer } from '../../../../src/authz/authorizer.ts';
import type { UserInfo } from '../../../../src/meta/user-info.ts';
import type { ConnectCall } from '../../../../src/api/connect/connect-subresource.ts';
import { connectSubresources } from '../../../../src/catalogue/connect-subresources.ts';
import { type Fixture, type Received, startFixture } from '../fixture.ts';

const path = '/api/v1/namespaces/ns/configmaps';

const caller: UserInfo = { username: 'boss', uid: '9', groups: ['bosses'], extra: {} };
const callers: Authenticator = {
  name: 'callers',
  authenticate: ({ bearerToken }) => (bearerToken ? { user: caller } : undefined),
};

/** The question of an authorizer in short. */
const short = ({ user, verb, apiGroup, resource, subresource, namespace, name }: AuthorizationAttributes): string =>
  [
    `${user.username} ${verb}`,
    `${resource}${apiGroup ? `.${apiGroup}` : ''}${subresource ? `/${subresource}` : ''}`,
    ...(namespace ? [`in ${namespace}`] : []),
    ...(name ? [`named ${name}`] : []),
  ].join(' ');

/** A server that allows everything but `refused`, with the questions that it was asked. */
async function start(refused?: string, overrides: Parameters<typeof startFixture>[0] = {}) {
  const seen: AuthorizationAttributes[] = [];
  const spy: Authorizer = {
    name: 'spy',
    authorize: (attributes) => {
      seen.push(attributes);
      return { decision: short(attributes) === refused ? 'no-opinion' : 'allow', reason: 'so it is' };
    },
  };
  const server = await startFixture({ authenticators: [callers], authorizers: [spy], ...overrides });
  return { server, seen };
}

const as = (server: Fixture, headers: OutgoingHttpHeaders, where = path): Promise<Received> =>
  server.send({ path: where, headers: { authorization: 'Bearer x', ...headers } });

/** The user that the last question was about. */
const lastUser = (seen: readonly AuthorizationAttributes[]): UserInfo | undefined => seen.at(-1)?.user;

describe('impersonation', () => {
  it('replaces the whole user, after each part of it was authorized', async () => {
    const { server, seen } = await start();
    await using _ = server;
    const response = await as(server, {
      'Impersonate-User': 'bob',
      'Impersonate-Group': ['dev', 'ops'],
      'Impersonate-Uid': '42',
      'Impersonate-Extra-Scopes': ['view', 'edit'],
      'Impersonate-Extra-Acme.com%2Fproject': 'x',
    });
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(seen.map(short), [
      'boss impersonate users named bob',
      'boss impersonate groups named dev',
      'boss impersonate groups named ops',
      'boss impersonate userextras.authentication.k8s.io/scopes named view',
      'boss impersonate userextras.authentication.k8s.io/scopes named edit',
      'boss impersonate userextras.authentication.k8s.io/acme.com/project named x',
      'boss impersonate uids.authentication.k8s.io named 42',
      'bob list configmaps in ns',
    ]);
    assert.deepEqual(lastUser(seen), {
      username: 'bob',
      uid: '42',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { scopes: ['view', 'edit'], 'acme.com/project': ['x'] },
    });
  });

  it('keeps nothing of the caller', async () => {
    const { server, seen } = await start();
    await using _ = server;
    await as(server, { 'impersonate-user': 'bob' });
    assert.deepEqual(lastUser(seen), { username: 'bob', uid: '', groups: ['system:authenticated'], extra: {} });
  });

  const refusals: readonly (readonly [headers: OutgoingHttpHeaders, refused: string, message: string])[] = [
    [
      {},
      'boss impersonate users named bob',
      'users "bob" is forbidden: User "boss" cannot impersonate resource "users" in API group "" at the cluster scope: so it is',
    ],
    [
      { 'impersonate-group': ['dev', 'system:masters'] },
      'boss impersonate groups named system:masters',
      'groups "system:masters" is forbidden: User "boss" cannot impersonate resource "groups" in API group "" at the cluster scope: so it is',
    ],
    [
      { 'impersonate-uid': '1' },
      'boss impersonate uids.authentication.k8s.io named 1',
      'uids.authentication.k8s.io "1" is forbidden: User "boss" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope: so it is',
    ],
    [
      { 'impersonate-extra-a': ['1', '2'] },
      'boss impersonate userextras.authentication.k8s.io/a named 2',
      'userextras.authentication.k8s.io "2" is forbidden: User "boss" cannot impersonate resource "userextras/a" in API group "authentication.k8s.io" at the cluster scope: so it is',
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns:default' },
      'boss impersonate serviceaccounts in ns named default',
      'serviceaccounts "default" is forbidden: User "boss" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns": so it is',
    ],
  ];
  for (const [headers, refused, message] of refusals) {
    it(`answers 403 where the caller may not ${refused.slice(5)}`, async () => {
      const { server, seen } = await start(refused);
      await using _ = server;
      const response = await as(server, { 'impersonate-user': 'bob', ...headers });
      assert.equal(response.status, 403);
      assert.equal(response.at('message'), message);
      assert.ok(
        seen.every(({ user }) => user === caller || user.username === 'boss'),
        'nothing is asked for the other',
      );
    });
  }

  const groups: readonly (readonly [user: string, given: string[], groups: readonly string[]])[] = [
    ['bob', ['system:authenticated'], ['system:authenticated']],
    ['bob', ['system:unauthenticated'], ['system:unauthenticated']],
    ['system:anonymous', [], ['system:unauthenticated']],
    ['system:anonymous', ['a'], ['a', 'system:unauthenticated']],
    ['system:anonymous', ['system:unauthenticated'], ['system:unauthenticated']],
    [
      'system:serviceaccount:ns:robot',
      [],
      ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    ],
    ['system:serviceaccount:ns:robot', ['a'], ['a', 'system:authenticated']],
    ['system:serviceaccount:NS:robot', [], ['system:authenticated']],
    ['system:serviceaccount:ns:a:b', [], ['system:authenticated']],
  ];
  for (const [user, given, expected] of groups) {
    it(`gives ${user} with groups [${given.join(', ')}] the groups ${expected.join(', ')}`, async () => {
      const { server, seen } = await start();
      await using _ = server;
      await as(server, { 'impersonate-user': user, ...(given.length > 0 ? { 'impersonate-group': given } : {}) });
      assert.deepEqual(lastUser(seen)?.groups, expected);
    });
  }

  const malformed: readonly (readonly [what: string, headers: OutgoingHttpHeaders])[] = [
    ['a group without a user', { 'impersonate-group': 'g' }],
    ['a UID without a user', { 'impersonate-uid': '1' }],
    ['an extra field without a user', { 'impersonate-extra-a': '1' }],
    ['a group with an empty user', { 'impersonate-user': '', 'impersonate-group': 'g' }],
    ['two users', { 'impersonate-user': ['a', 'b'] }],
    ['two UIDs', { 'impersonate-user': 'a', 'impersonate-uid': ['1', '2'] }],
  ];
  for (const [what, headers] of malformed) {
    it(`answers 400 to ${what}`, async () => {
      const { server, seen } = await start();
      await using _ = server;
      const response = await as(server, headers);
      assert.equal(response.status, 400, response.text);
      assert.deepEqual(seen, []);
    });
  }

  const keys: readonly (readonly [header: string, key: string])[] = [
    ['Impersonate-Extra-MiXed', 'mixed'],
    ['impersonate-extra-%zz', '%zz'],
    ['impersonate-extra-%ff', '%ff'],
    ['impersonate-extra-%C3%A9', 'é'],
    ['impersonate-extra-__proto__', '__proto__'],
    ['impersonate-extra-', ''],
  ];
  for (const [header, key] of keys) {
    it(`reads the key ${JSON.stringify(key)} from ${header}`, async () => {
      const { server, seen } = await start();
      await using _ = server;
      await as(server, { 'impersonate-user': 'bob', [header]: 'v' });
      assert.deepEqual(Object.entries(lastUser(seen)?.extra ?? {}), [[key, ['v']]]);
    });
  }

  it('reads names in UTF-8', async () => {
    const { server, seen } = await start();
    await using _ = server;
    await as(server, { 'impersonate-user': Buffer.from('zoë').toString('latin1') });
    assert.equal(lastUser(seen)?.username, 'zoë');
  });

  it('is of no use to a caller who is not authenticated', async () => {
    const { server, seen } = await start('system:anonymous impersonate users named bob');
    await using _ = server;
    const response = await server.send({ path, headers: { 'impersonate-user': 'bob' } });
    assert.equal(response.status, 403);
    assert.equal(seen.length, 1);
  });

  it('asks a waiting authorizer for each part too', async () => {
    const { server, seen } = await start();
    await using _ = server;
    const slow: Authorizer = {
      name: 'slow',
      authorize: (attributes) => {
        seen.push(attributes);
        const decision = attributes.name === 'ops' ? 'deny' : 'allow';
        return new Promise((resolve) => setImmediate(() => resolve({ decision, reason: '' })));
      },
    };
    await using waiting = await startFixture({ authenticators: [callers], authorizers: [slow] });
    const groupHeaders = { 'impersonate-user': 'bob', 'impersonate-group': ['dev', 'ops', 'qa'] };
    assert.equal((await as(waiting, groupHeaders)).status, 403);
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['bob', 'dev', 'ops'],
    );
    assert.equal((await as(waiting, { 'impersonate-user': 'bob', 'impersonate-group': 'dev' })).status, 200);
  });

  it('does not exempt an impersonated administrator from the limit of requests in flight', async () => {
    const [asked, held] = [newDeferred<void>(), newDeferred<void>()];
    const holding: Authorizer = {
      name: 'holding',
      authorize: async ({ name }) => {
        if (name === 'held') {
          asked.resolve();
          await held.promise;
        }
        return { decision: 'allow', reason: '' };
      },
    };
    await using server = await startFixture({
      authenticators: [callers],
      authorizers: [holding],
      options: { maxRequestsInFlight: 1 },
    });
    const first = as(server, {}, `${path}/held`);
    await asked.promise;
    const second = await as(server, { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' });
    held.resolve();
    assert.equal(second.status, 429);
    assert.equal((await first).status, 404);
  });

  it('keeps the caller on the exchange, and credentials and headers from handlers', async () => {
    let call: ConnectCall | undefined;
    const connects = connectSubresources.map((one) => ({
      ...one,
      handler: (given: ConnectCall) => {
        call = given;
        given.exchange.response.writeHead(204);
        given.exchange.response.end();
      },
    }));
    const { server } = await start(undefined, { connects });
    await using _ = server;
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.send({ method: 'POST', path: '/api/v1/namespaces/ns/pods', body: pod });
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': ['a', 'b'], 'X-Other': 'kept' };
    assert.equal((await as(server, headers, '/api/v1/namespaces/ns/pods/p/proxy')).status, 204);
    const { user, impersonator, request } = call?.exchange ?? {};
    assert.equal(impersonator?.username, 'boss');
    assert.equal(user?.username, 'bob');
    const names = [...(request?.rawHeaders ?? []), ...Object.keys(request?.headers ?? {})].join().toLowerCase();
    assert.doesNotMatch(names, /impersonate|authorization/);
    assert.match(names, /x-other,kept.*x-other/);
  });
});
