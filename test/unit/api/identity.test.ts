import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import type { AuthorizationAttributes, Authorizer } from '../../../src/authz/authorizer.ts';
import { alwaysAllowAuthorizer } from '../../../src/authz/always-allow-authorizer.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { denyAll, startFixture } from './fixture.ts';

const path = '/api/v1/namespaces/ns/configmaps';

describe('authentication', () => {
  const cases: readonly [name: string, authorization: string | string[] | undefined, status: number][] = [
    ['no credential', undefined, 200],
    ['a known token', 'Bearer good', 200],
    ['a known token behind a lower-case scheme', 'bearer good', 200],
    ['an unknown token', 'Bearer bad', 401],
    ['a scheme alone', 'Bearer', 401],
    ['two spaces', 'Bearer  good', 401],
    ['a tab', 'Bearer\tgood', 401],
    ['another scheme', 'Basic Z29vZA==', 401],
    ['text behind the token', 'Bearer good x', 401],
    ['a token with bytes that are no UTF-8', 'Bearer gööd', 401],
    ['an empty header', '', 200],
    ['two headers', ['Bearer good', 'Bearer good'], 400],
  ];
  for (const [name, authorization, status] of cases) {
    it(`answers ${status} to ${name}`, async () => {
      await using server = await startFixture();
      const headers: OutgoingHttpHeaders = {};
      if (authorization !== undefined) headers['authorization'] = authorization as string;
      const response = await server.send({ path, headers });
      assert.equal(response.status, status, response.text);
      if (status === 401) {
        assert.deepEqual(response.json(), {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        });
      }
    });
  }

  it('answers 401 without a credential where anonymous requests are off', async () => {
    await using server = await startFixture({ anonymousAuth: false });
    assert.equal((await server.send({ path })).status, 401);
  });

  it('lets another authenticator recognise what one refuses', async () => {
    const refuse = {
      name: 'refuse',
      authenticate: () => {
        throw new StatusError('Unauthorized', 'Unauthorized');
      },
    };
    const accept = {
      name: 'accept',
      authenticate: () => Promise.resolve({ user: { username: 'x', uid: '', groups: [], extra: {} } }),
    };
    await using both = await startFixture({ authenticators: [refuse, accept] });
    assert.equal((await both.send({ path })).status, 200);
    await using one = await startFixture({ authenticators: [refuse] });
    assert.equal((await one.send({ path })).status, 401, 'a refused credential is never anonymous');
  });

  it('answers 500 without detail when an authenticator breaks', async () => {
    const broken = { name: 'broken', authenticate: () => Promise.reject(new Error('secret detail')) };
    await using server = await startFixture({ authenticators: [broken] });
    const response = await server.send({ path, headers: { 'audit-id': 'my-id' } });
    assert.equal(response.status, 500);
    assert.equal(response.headers['audit-id'], 'my-id');
    assert.match(String(response.at('message')), /my-id$/);
    assert.doesNotMatch(response.text, /secret/);
  });
});

describe('authorization', () => {
  const refusals: readonly [method: string, path: string, message: string][] = [
    [
      'GET',
      path,
      'configmaps is forbidden: User "u" cannot list resource "configmaps" in API group "" in the namespace "ns"',
    ],
    [
      'GET',
      `${path}?watch=1`,
      'configmaps is forbidden: User "u" cannot watch resource "configmaps" in API group "" in the namespace "ns"',
    ],
    [
      'GET',
      `${path}/a`,
      'configmaps "a" is forbidden: User "u" cannot get resource "configmaps" in API group "" in the namespace "ns"',
    ],
    [
      'DELETE',
      path,
      'configmaps is forbidden: User "u" cannot deletecollection resource "configmaps" in API group "" in the namespace "ns"',
    ],
    [
      'GET',
      '/api/v1/configmaps',
      'configmaps is forbidden: User "u" cannot list resource "configmaps" in API group "" at the cluster scope',
    ],
    [
      'PUT',
      '/apis/apps/v1/namespaces/ns/deployments/d/status',
      'deployments.apps "d" is forbidden: User "u" cannot update resource "deployments/status" in API group "apps" in the namespace "ns"',
    ],
    ['GET', '/zork', 'forbidden: User "u" cannot get path "/zork"'],
    ['POST', '/healthz', 'forbidden: User "u" cannot post path "/healthz"'],
    ['GET', '/a%3Cb', 'forbidden: User "u" cannot get path "/a&lt;b"'],
  ];
  for (const [method, where, message] of refusals) {
    it(`refuses ${method} ${where} in words`, async () => {
      await using server = await startFixture({ authorizers: [denyAll] });
      const response = await server.send({ method, path: where, headers: { authorization: 'Bearer good' } });
      assert.equal(response.status, 403);
      assert.equal(response.at('message'), message);
      assert.equal(response.at('reason'), 'Forbidden');
    });
  }

  it('stops at the first allow or deny, and gives the reason', async () => {
    const deny: Authorizer = { name: 'deny', authorize: () => ({ decision: 'deny', reason: 'because' }) };
    await using refused = await startFixture({ authorizers: [denyAll, deny, alwaysAllowAuthorizer] });
    const response = await refused.send({ path });
    assert.match(String(response.at('message')), /in the namespace "ns": because$/);
    await using allowed = await startFixture({ authorizers: [denyAll, alwaysAllowAuthorizer, deny] });
    assert.equal((await allowed.send({ path })).status, 200);
  });

  it('sees the name that a field selector asks for, if it can be one', async () => {
    const seen: AuthorizationAttributes[] = [];
    const spy: Authorizer = {
      name: 'spy',
      authorize: (attributes) => {
        seen.push(attributes);
        return Promise.resolve({ decision: 'allow', reason: '' });
      },
    };
    await using server = await startFixture({ authorizers: [spy] });
    await server.send({ path: `${path}?fieldSelector=metadata.name%3Dx` });
    await server.send({ path: `${path}?fieldSelector=metadata.name%3D..%2Fx` });
    assert.deepEqual(
      seen.map(({ name, verb }) => `${verb} ${name}`),
      ['list x', 'list '],
    );
  });

  it('puts everybody who is recognised into the group of authenticated users', async () => {
    const seen: (readonly string[])[] = [];
    await using server = await startFixture({
      authenticators: [
        { name: 'all', authenticate: () => ({ user: { username: 'u', uid: '', groups: ['g'], extra: {} } }) },
      ],
      authorizers: [
        {
          name: 'witness',
          authorize({ user }) {
            seen.push(user.groups);
            return { decision: 'allow', reason: '' };
          },
        },
      ],
    });
    await server.send({ path: '/version' });
    assert.deepEqual(seen, [['g', 'system:authenticated']]);
  });
});
