import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { claimsOf, issuerKey, type LocalIssuer, startIssuer } from './local-issuer.ts';
import { type Seen, whoami } from './whoami.ts';

const authenticated = 'system:authenticated';
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Replaces a part of a token. */
const withPart = (token: string, index: number, part: string): string => token.split('.').with(index, part).join('.');

describe('an OpenID provider', () => {
  let directory: string;
  let issuer: LocalIssuer;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'oidc-'));
    issuer = await startIssuer();
    await writeFile(path.join(directory, 'ca.pem'), issuer.ca);
  });
  afterEach(async () => {
    await issuer[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const start = (
    settings: Partial<NonNullable<TestServerOptions['oidc']>> = {},
    options: TestServerOptions = {},
  ): Promise<TestServer> =>
    startServer({
      oidc: {
        issuerUrl: issuer.url,
        clientId: 'client',
        usernameClaim: 'sub',
        groupsPrefix: '',
        requiredClaims: {},
        signingAlgorithms: ['RS256'],
        caFile: path.join(directory, 'ca.pem'),
        ...settings,
      },
      ...options,
    });
  const by = (server: TestServer, token: string): Promise<Seen> => whoami(server, { authorization: `Bearer ${token}` });
  const ready = async (server: TestServer): Promise<void> => {
    const token = await issuer.token();
    await until('the provider has answered', async () => (await by(server, token)).status === 201);
  };

  const users: readonly (readonly [
    what: string,
    settings: Partial<NonNullable<TestServerOptions['oidc']>>,
    claims: Record<string, unknown>,
    user: () => object,
  ])[] = [
    ['the subject behind the issuer', {}, {}, () => ({ username: `${issuer.url}#ann`, groups: [authenticated] })],
    ['a prefix', { usernamePrefix: 'oidc:' }, {}, () => ({ username: 'oidc:ann', groups: [authenticated] })],
    ['no prefix', { usernamePrefix: '-' }, {}, () => ({ username: 'ann', groups: [authenticated] })],
    [
      'a verified email',
      { usernameClaim: 'email' },
      { email: 'ann@example.com', email_verified: true },
      () => ({ username: 'ann@example.com', groups: [authenticated] }),
    ],
    [
      'groups',
      { usernamePrefix: '-', groupsClaim: 'groups', groupsPrefix: 'g:' },
      { groups: ['dev', 'ops'] },
      () => ({ username: 'ann', groups: ['g:dev', 'g:ops', authenticated] }),
    ],
    [
      'one group as a text',
      { usernamePrefix: '-', groupsClaim: 'groups' },
      { groups: 'dev' },
      () => ({ username: 'ann', groups: ['dev', authenticated] }),
    ],
    [
      'an audience among others',
      { usernamePrefix: '-', requiredClaims: { hd: 'example.com' } },
      { aud: ['x', 'client'], azp: 'other', hd: 'example.com' },
      () => ({ username: 'ann', groups: [authenticated] }),
    ],
    [
      'a name of the system behind a prefix',
      { usernamePrefix: 'p:' },
      { sub: 'system:admin' },
      () => ({ username: 'p:system:admin', groups: [authenticated] }),
    ],
  ];
  for (const [what, settings, claims, user] of users) {
    it(`names users by ${what}`, async () => {
      await using server = await start(settings);
      const token = await issuer.token(claims);
      await until('the token is accepted', async () => (await by(server, token)).status === 201);
      assert.deepEqual((await by(server, token)).user, user());
    });
  }

  const past = 1_000_000_000;
  const future = 4_000_000_000;
  const refusedClaims: Readonly<Record<string, Record<string, unknown>>> = {
    'an end in the past': { exp: past },
    'an end three seconds ago': { exp: Math.floor(Date.now() / 1000) - 3 },
    'a start in the future': { nbf: future },
    'an issue that is no time': { iat: 'now' },
    'an end as a text': { exp: String(future) },
    'no end': { exp: undefined },
    'no audience': { aud: undefined },
    'another audience': { aud: 'other' },
    'other audiences': { aud: ['a', 'b'] },
    'no subject': { sub: undefined },
    'an empty subject': { sub: '' },
    'a subject that is no text': { sub: 7 },
    'groups that are no texts': { groups: [1] },
    'a map of groups': { groups: { a: 1 } },
    'distributed groups': { _claim_names: { groups: 'src' }, _claim_sources: { src: { endpoint: 'https://x' } } },
    'a group of the system': { groups: ['system:masters'] },
    'another value of a required claim': { hd: 'other' },
    'no required claim': { hd: undefined },
    'a list for a required claim': { hd: ['example.com'] },
    'a user of the system': { sub: 'system:admin' },
  };
  it('is refused for claims', async () => {
    await using server = await start({
      usernamePrefix: '-',
      groupsClaim: 'groups',
      requiredClaims: { hd: 'example.com' },
    });
    const good = await issuer.token({ hd: 'example.com' });
    await until('the provider has answered', async () => (await by(server, good)).status === 201);
    for (const [what, claims] of Object.entries(refusedClaims)) {
      const token = await issuer.token({ hd: 'example.com', ...claims });
      assert.equal((await by(server, token)).status, 401, what);
    }
  });

  it('may say that a token is issued in the future, and let it begin a minute ahead', async () => {
    await using server = await start({ usernamePrefix: '-' });
    await ready(server);
    const soon = Math.floor(Date.now() / 1000) + 50;
    const late = { nbf: Math.floor(Date.now() / 1000) + 280 };
    assert.equal((await by(server, await issuer.token(late))).status, 401);
    for (const claims of [{ iat: future }, { nbf: soon }, { exp: soon + 0.5 }]) {
      assert.equal((await by(server, await issuer.token(claims))).status, 201, JSON.stringify(claims));
    }
  });

  it('is refused for an unverified email', async () => {
    await using server = await start({ usernameClaim: 'email' });
    const good = await issuer.token({ email: 'a@x' });
    await until('the provider has answered', async () => (await by(server, good)).status === 201);
    for (const verified of [false, 'true', 1]) {
      const token = await issuer.token({ email: 'a@x', email_verified: verified });
      assert.equal((await by(server, token)).status, 401, String(verified));
    }
  });

  it('is refused for other issuers, forged signatures and headers that change the meaning of a token', async () => {
    await using server = await start();
    await ready(server);
    const [key] = issuer.keys;
    assert.ok(key);
    const good = await issuer.token();
    const [header = '', payload = '', signature = ''] = good.split('.');
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const hmacInput = `${base64url({ alg: 'HS256', kid: key.kid })}.${payload}`;
    const bytes = Buffer.from(signature, 'base64url');
    const deep = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`;
    const tokens: Readonly<Record<string, string>> = {
      'alg none': `${base64url({ alg: 'none', kid: key.kid })}.${payload}.`,
      'alg nOnE': `${base64url({ alg: 'nOnE', kid: key.kid })}.${payload}.${signature}`,
      'no alg': `${base64url({ kid: key.kid })}.${payload}.${signature}`,
      'HMAC with the public key': `${hmacInput}.${createHmac('sha256', pem).update(hmacInput).digest('base64url')}`,
      'an algorithm that is not allowed': await issuer.token({}, { alg: 'PS256' }),
      'an RSA key used for ECDSA': withPart(good, 0, base64url({ alg: 'ES256', kid: key.kid })),
      'an unknown key': await issuer.token({}, {}, issuerKey()),
      'another key of the same name': await issuer.token({}, {}, { ...issuerKey(), kid: key.kid }),
      'an embedded key': await issuer.token({}, { jwk: key.publicKey.export({ format: 'jwk' }) }),
      'a URL of keys': await issuer.token({}, { jku: `${issuer.url}/mine` }),
      'a URL of certificates': await issuer.token({}, { x5u: `${issuer.url}/mine` }),
      'a critical parameter': await issuer
        .token({}, { crit: ['exp'], exp: 1 })
        .catch(() => withPart(good, 0, base64url({ alg: 'RS256', kid: key.kid, crit: ['x'], x: 1 }))),
      compression: withPart(good, 0, base64url({ alg: 'RS256', kid: key.kid, zip: 'DEF' })),
      'a path as a key': withPart(good, 0, base64url({ alg: 'RS256', kid: '../../dev/null' })),
      'repeated names in the header': withPart(
        good,
        0,
        Buffer.from(`{"alg":"RS256","kid":"x","kid":"${key.kid}"}`).toString('base64url'),
      ),
      'another payload': withPart(good, 1, base64url({ ...claimsOf(issuer.url), sub: 'eve' })),
      'a payload that is a list': withPart(good, 1, base64url([1])),
      'a deep payload': withPart(good, 1, Buffer.from(deep).toString('base64url')),
      'a payload that is not UTF-8': withPart(good, 1, Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')),
      'a shorter signature': withPart(good, 2, bytes.subarray(1).toString('base64url')),
      'a longer signature': withPart(good, 2, Buffer.concat([bytes, Buffer.from([0])]).toString('base64url')),
      'a signature of zeroes': withPart(good, 2, Buffer.alloc(bytes.length).toString('base64url')),
      'no signature': `${header}.${payload}.`,
      padding: `${good}=`,
      'the other alphabet': withPart(good, 2, bytes.toString('base64').replaceAll('=', '')),
      'two parts': `${header}.${payload}`,
      'five parts': `${good}.a.b`,
      'another issuer': await issuer.token({ iss: `${issuer.url}/` }),
      'no issuer': await issuer.token({ iss: undefined }),
      'a long token': await issuer.token({ pad: 'x'.repeat(12_000) }),
    };
    for (const [what, token] of Object.entries(tokens)) {
      const { status } = await by(server, token);
      // Node refuses headers beyond its limit with 431.
      assert.ok(status === 401 || (what === 'a long token' && status >= 400), `${what}: ${status}`);
    }
    assert.ok(!issuer.server.seen.some(({ url }) => url === '/mine'), 'URLs in tokens are not fetched');
    assert.equal((await by(server, good)).status, 201);
  });

  it('with keys for ECDSA is accepted if that algorithm is', async () => {
    issuer.keys = [issuerKey('ES256')];
    await using server = await start({ signingAlgorithms: ['ES256'] });
    await ready(server);
    const good = await issuer.token();
    for (const zeroes of [64, 70]) {
      const psychic = withPart(good, 2, Buffer.alloc(zeroes).toString('base64url'));
      assert.equal((await by(server, psychic)).status, 401);
    }
  });

  it('may rotate its keys, and unknown keys do not cause a request for each token', async () => {
    await using server = await start();
    await ready(server);
    const fetched = issuer.fetches();
    for (let count = 0; count < 20; count++) {
      assert.equal((await by(server, await issuer.token({}, {}, issuerKey('ES256')))).status, 401);
    }
    assert.ok(issuer.fetches() <= fetched + 2, `${issuer.fetches()} fetches`);
    const old = await issuer.token();
    issuer.keys = [issuerKey()];
    const token = await issuer.token();
    await until('the new key is known', async () => (await by(server, token)).status === 201);
    assert.equal((await by(server, old)).status, 401, 'the old key is gone');
  });

  it('that is down does not stop the server, and others are not affected', async () => {
    issuer.status = 500;
    await using server = await start({}, { logLevel: 'silent' });
    assert.equal((await by(server, await issuer.token())).status, 401);
    assert.equal((await by(server, server.token)).status, 201);
    issuer.status = 200;
    const token = await issuer.token();
    await until('the provider is asked again', async () => (await by(server, token)).status === 201);
  });

  const broken: Readonly<Record<string, Record<string, unknown>>> = {
    'of another issuer': { issuer: 'https://other' },
    'without keys': { jwks_uri: undefined },
    'with keys that come without TLS': { jwks_uri: 'http://127.0.0.1:1/keys' },
  };
  for (const [what, discovery] of Object.entries(broken)) {
    it(`with a discovery document ${what} authenticates nobody`, async () => {
      issuer.discovery = discovery;
      await using server = await start({}, { logLevel: 'silent' });
      await until('the provider was asked', () => issuer.server.seen.length > 0);
      assert.equal((await by(server, await issuer.token())).status, 401);
    });
  }

  it('of another CA authenticates nobody', async () => {
    const other = await startIssuer();
    await writeFile(path.join(directory, 'ca.pem'), other.ca);
    await using server = await start({}, { logLevel: 'silent' });
    assert.equal((await by(server, await issuer.token())).status, 401);
    assert.equal(issuer.server.seen.length, 0);
    await other[Symbol.asyncDispose]();
  });

  describe('in a configuration file', () => {
    const entryOf = ({ url, ca }: LocalIssuer, more: object = {}): object => ({
      issuer: { url, certificateAuthority: ca, audiences: ['client', 'other'], audienceMatchPolicy: 'MatchAny' },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
      ...more,
    });
    const write = async (...jwt: readonly object[]): Promise<string> => {
      const file = path.join(directory, 'authentication.yaml');
      const document = { apiVersion: 'apiserver.config.cl.io/v1beta1', kind: 'AuthenticationConfiguration', jwt };
      await writeFile(`${file}.new`, JSON.stringify(document));
      await rename(`${file}.new`, file);
      return file;
    };

    it('is one of several, each with its own claims, and the file is read again', async () => {
      await using second = await startIssuer();
      const mapped = {
        claimMappings: {
          username: { claim: 'name', prefix: 'two:' },
          groups: { claim: 'roles', prefix: 'two:' },
          uid: { claim: 'oid' },
        },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'x' }],
      };
      const authenticationConfigFile = await write(entryOf(issuer), entryOf(second, mapped));
      await using server = await startServer({ authenticationConfigFile, certificateReloadMs: 20 });
      await ready(server);
      assert.equal((await by(server, await issuer.token({ aud: 'other' }))).status, 201);
      const claims = { name: 'bob', roles: ['a'], oid: '7', hd: 'x' };
      const token = await second.token(claims);
      await until('the second has answered', async () => (await by(server, token)).status === 201);
      const user = { username: 'two:bob', uid: '7', groups: ['two:a', authenticated] };
      assert.deepEqual((await by(server, token)).user, user);
      assert.equal((await by(server, await second.token({ ...claims, hd: 'y' }))).status, 401);
      await write(entryOf(issuer));
      await until('the second is gone', async () => (await by(server, token)).status === 401);
      assert.equal((await by(server, await issuer.token())).status, 201);
    });

    it('may have its discovery document elsewhere', async () => {
      const { url } = issuer;
      const shown = 'https://issuer.example';
      const elsewhere = {
        issuer: { url: shown, discoveryURL: `${url}/d`, certificateAuthority: issuer.ca, audiences: ['client'] },
      };
      issuer.discovery = { issuer: shown };
      const authenticationConfigFile = await write(entryOf(issuer, elsewhere));
      await using server = await startServer({ authenticationConfigFile });
      const token = await issuer.token({ iss: shown });
      await until('the provider has answered', async () => (await by(server, token)).status === 201);
      assert.equal(issuer.server.seen[0]?.url, '/d');
    });

    it('may name and check users by expressions', async () => {
      const expressions = {
        claimMappings: {
          username: { expression: '"u:" + claims.sub' },
          groups: { expression: 'claims.roles.split(",")' },
          uid: { expression: 'string(claims.number)' },
          extra: [
            { key: 'example.com/team', valueExpression: 'has(claims.team) ? claims.team : ""' },
            { key: 'example.com/all', valueExpression: 'claims.roles.split(",")' },
          ],
        },
        claimValidationRules: [{ expression: 'claims.exp - claims.iat <= 3600', message: 'at most an hour' }],
        userValidationRules: [
          { expression: 'user.groups.all(group, !group.startsWith("admin"))', message: 'no admins' },
          { expression: '!("example.com/team" in user.extra) || user.uid != "8"' },
        ],
      };
      const authenticationConfigFile = await write(entryOf(issuer, expressions));
      await using server = await startServer({ authenticationConfigFile, certificateReloadMs: 20 });
      const claims = { roles: 'a,b', number: 7, team: 'blue' };
      const token = await issuer.token(claims);
      await until('the provider has answered', async () => (await by(server, token)).status === 201);
      assert.deepEqual((await by(server, token)).user, {
        username: 'u:ann',
        uid: '7',
        groups: ['a', 'b', authenticated],
        extra: { 'example.com/team': ['blue'], 'example.com/all': ['a', 'b'] },
      });
      const nowSeconds = Math.floor(Date.now() / 1000);
      const wrong: readonly object[] = [
        { roles: 'a,admins' },
        { number: 8 },
        { exp: nowSeconds + 7200 },
        { roles: undefined },
        { roles: 7 },
        { roles: 'a,system:masters' },
        { sub: 7 },
      ];
      for (const change of wrong) {
        const { status } = await by(server, await issuer.token({ ...claims, ...change }));
        assert.equal(status, 401, JSON.stringify(change));
      }
      const fetches = issuer.fetches();
      await write(entryOf(issuer, expressions));
      await sleep(200);
      assert.equal(issuer.fetches(), fetches, 'the same expressions are no change');
      await write(entryOf(issuer, { ...expressions, userValidationRules: [{ expression: 'user.uid != "7"' }] }));
      await until('the new rule to hold', async () => (await by(server, token)).status === 401);
    });

    it('must be one that the server can follow', async () => {
      const authenticationConfigFile = await write(
        entryOf(issuer, { claimMappings: { username: { expression: 'user.sub' } } }),
      );
      await assert.rejects(
        startServer({ authenticationConfigFile }),
        /--authentication-config .*username\.expression: .*undeclared reference to 'user'/,
      );
    });
  });
});
