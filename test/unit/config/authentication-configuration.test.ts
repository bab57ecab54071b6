import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { authenticationReader } from '../../../src/config/authentication-configuration.ts';

const options = { ...defaultServerOptions, identifiers: 'cluster', emulatedRelease: '1.36' } as const;
const group = 'apiserver.config.cl.io';
const url = 'https://issuer.example';
const issuer = { url, audiences: ['a'] };
const claimMappings = { username: { claim: 'sub', prefix: '' } };
const entry = { issuer, claimMappings };

const extra = { key: 'a.b/c', valueExpression: 'claims.a' };
const withMapping = (mapping: object): object => ({ issuer, claimMappings: { ...claimMappings, ...mapping } });
const own = 'https://own';
const withExtraKeys = (...keys: string[]): object[] => [
  withMapping({ extra: keys.map((key) => ({ key, valueExpression: '""' })) }),
];
const withUsername = (username: object): object => ({ issuer, claimMappings: { username } });

const directory = mkdtempSync(path.join(tmpdir(), 'authentication-'));
const file = path.join(directory, 'configuration');

async function parseText(text: string) {
  writeFileSync(file, text);
  return authenticationReader(file, { ...options, serviceAccountIssuers: [own] })();
}

const parse = (jwt: readonly object[], more: object = {}) =>
  parseText(JSON.stringify({ apiVersion: `${group}/v1beta1`, kind: 'AuthenticationConfiguration', jwt, ...more }));

describe('an AuthenticationConfiguration', () => {
  after(() => rmSync(directory, { recursive: true }));

  it('has the same issuers after a change of a comment, and a new one for a changed entry', async () => {
    const mapped = withUsername({ expression: 'claims.sub' });
    const second = { issuer: { url: 'https://second.example', audiences: ['a'] }, claimMappings };
    const content = (jwt: readonly object[]) =>
      JSON.stringify({ apiVersion: `${group}/v1`, kind: 'AuthenticationConfiguration', jwt });
    const read = authenticationReader(file, options);
    writeFileSync(file, content([mapped, second]));
    const [first, other] = (await read()).issuers;
    writeFileSync(file, `# a comment\n${content([mapped, second])}`);
    const again = await read();
    assert.equal(again.issuers[0], first);
    assert.equal(again.issuers[1], other);
    writeFileSync(file, content([mapped, { ...second, claimMappings: { username: { claim: 'sub', prefix: 'x:' } } }]));
    const changed = (await read()).issuers;
    assert.equal(changed[0], first);
    assert.notEqual(changed[1], other);
  });

  for (const version of ['v1alpha1', 'v1beta1', 'v1']) {
    it(`has issuers (${version})`, async () => {
      const text = `
apiVersion: ${group}/${version}
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${url}
    discoveryURL: https://other.example/d
    audiences: [a, b]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - {claim: hd, requiredValue: example.com}
  claimMappings:
    username: {claim: sub, prefix: 'u:'}
    groups: {claim: groups, prefix: ''}
    uid: {claim: oid}
`;
      const { issuers } = await parseText(text);
      const [{ signingAlgorithms, ...parsed } = { signingAlgorithms: [] }, ...others] = issuers;
      assert.deepEqual(others, []);
      assert.ok(signingAlgorithms.length === 9);
      assert.deepEqual(parsed, {
        url,
        discoveryUrl: 'https://other.example/d',
        ca: undefined,
        audiences: ['a', 'b'],
        username: { claim: 'sub', prefix: 'u:' },
        groups: { claim: 'groups', prefix: '' },
        uidClaim: 'oid',
        requiredClaims: { hd: 'example.com' },
      });
    });
  }

  it('ignores a prefix of groups without a claim', async () => {
    assert.equal((await parse([withMapping({ groups: { prefix: 'x' } })])).issuers[0]?.groups, undefined);
  });

  it('may have none', async () => {
    const { hash, ...rest } = await parse([]);
    assert.deepEqual(rest, { issuers: [], anonymous: undefined });
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
  });

  it('names the egress of an issuer, in releases that have it', async () => {
    const jwt = [{ ...entry, issuer: { ...issuer, egressSelectorType: 'controlplane' } }];
    assert.equal((await parse(jwt)).issuers[0]?.egress, 'controlplane');
    const older = authenticationReader(file, { ...options, emulatedRelease: '1.33' });
    await assert.rejects(
      older,
      /jwt\[0\]\.issuer\.egressSelectorType: .*when StructuredAuthenticationConfigurationEgressSelector feature gate is/,
    );
  });

  it('decides about anonymous requests', async () => {
    const anonymous = async (given: object) => (await parse([], { anonymous: given })).anonymous;
    assert.deepEqual(await anonymous({}), { enabled: false, paths: [] });
    assert.deepEqual(await anonymous({ enabled: true }), { enabled: true, paths: [] });
    const conditions = [{ path: '/livez' }, { path: '/readyz' }];
    assert.deepEqual(await anonymous({ enabled: true, conditions }), { enabled: true, paths: ['/livez', '/readyz'] });
    for (const enabled of [{}, { enabled: false }]) {
      await assert.rejects(
        () => anonymous({ ...enabled, conditions }),
        /anonymous\.conditions: .*enabled should be set to true when conditions are defined/,
      );
    }
    await assert.rejects(() => anonymous({ enabled: true, paths: [] }), /anonymous\.paths: .*unknown field/);
    await assert.rejects(
      () => anonymous({ enabled: true, conditions: [{ verb: 'get' }] }),
      /conditions\[0\]\.verb: .*unknown/,
    );
  });

  const faults: readonly (readonly [jwt: readonly object[], message: RegExp])[] = [
    [[{ claimMappings }], /jwt\[0\]\.issuer\.url: .*required/i],
    [[{ ...entry, issuer: { ...issuer, url: 'http://a' } }], /issuer\.url: .*URL scheme must be https/],
    [[{ ...entry, issuer: { ...issuer, url: 'https://a?b' } }], /URL must not contain a query/],
    [[{ ...entry, issuer: { ...issuer, url: 'https://u:p@a' } }], /must not contain a username or password/],
    [[entry, entry], /jwt\[1\]\.issuer\.url: .*[Dd]uplicate/],
    [[{ ...entry, issuer: { ...issuer, discoveryURL: `${url}/` } }], /discoveryURL must be different/],
    [[{ ...entry, issuer: { ...issuer, discoveryURL: 'http://a' } }], /discoveryURL: .*scheme must be https/],
    [[{ ...entry, issuer: { url } }], /at least one jwt\[0\]\.issuer\.audiences is required/],
    [[{ ...entry, issuer: { url, audiences: ['a', 'b'] } }], /must be MatchAny for multiple audiences/],
    [[{ ...entry, issuer: { ...issuer, audienceMatchPolicy: 'All' } }], /must be empty or MatchAny/],
    [
      [{ ...entry, issuer: { url, audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' } }],
      /audiences\[1\]: .*[Dd]uplicate/,
    ],
    [[{ ...entry, issuer: { ...issuer, certificateAuthority: 'x' } }], /certificateAuthority: .*PEM/],
    [[{ ...entry, issuer: { ...issuer, egressSelectorType: 'etcd' } }], /egressSelectorType: .*either controlplane or/],
    [[{ issuer }], /claimMappings\.username: .*claim or expression is required/],
    [[{ issuer, claimMappings: { username: { claim: 'sub' } } }], /username\.prefix: .*prefix is required/],
    [
      [{ issuer, claimMappings: { username: { expression: 'x' } } }],
      /username\.expression: .*undeclared reference to 'x'/,
    ],
    [[withUsername({ expression: 'claims.sub', claim: 'sub', prefix: '' })], /claim and expression can't both be set/],
    [
      [withUsername({ expression: 'claims.sub', prefix: 'x' })],
      /prefix: .*may not be specified when expression is set/,
    ],
    [[withUsername({ expression: 'claims.email' })], /email_verified must be used/],
    [[withMapping({ uid: { expression: '1 +' } })], /uid\.expression: .*compilation failed/],
    [[withMapping({ extra: [{ key: 'a.b/c' }] })], /extra\[0\]\.valueExpression: .*[Rr]equired/],
    [[withMapping({ extra: [{ key: 'c', valueExpression: '""' }] })], /extra\[0\]\.key: .*domain-prefixed/],
    [[withMapping({ extra: [extra, extra] })], /extra\[1\]\.key: .*[Dd]uplicate/],
    [[{ ...entry, userValidationRules: [null] }], /jwt\[0\]\.userValidationRules\[0\]: .*must not be null/],
    [[{ ...entry, issuer: { ...issuer, audiences: 'a' } }], /jwt\[0\]\.issuer\.audiences: .*must be a list/],
    [[{ ...entry, issuer: { ...issuer, url: 1 } }], /jwt\[0\]\.issuer\.url: .*must be a string/],
    [
      [{ ...entry, issuer: { ...issuer, url: own } }],
      /URL must not overlap with disallowed issuers: \[https:\/\/own\]/,
    ],
    [
      [url, 'https://b.example'].map((one) => ({
        ...entry,
        issuer: { ...issuer, url: one, discoveryURL: 'https://d' },
      })),
      /jwt\[1\]\.issuer\.discoveryURL: .*[Dd]uplicate/,
    ],
    [
      [{ ...entry, claimValidationRules: [{ claim: 'a' }, { claim: 'a' }] }],
      /claimValidationRules\[1\]\.claim: .*[Dd]uplicate/,
    ],
    [
      [{ ...entry, claimValidationRules: [{ expression: 'true' }, { expression: 'true' }] }],
      /claimValidationRules\[1\]\.expression: .*[Dd]uplicate/,
    ],
    [[{ ...entry, claimValidationRules: [{ expression: 'claims.ok' }] }], /expression: .*must evaluate to bool$/],
    [[{ ...entry, userValidationRules: [{ expression: '1' }] }], /expression: .*must evaluate to bool$/],
    [[{ ...entry, userValidationRules: [{ expression: 'user.foo == 1' }] }], /undefined field 'foo'/],
    [[withUsername({ expression: 'claims.?email.orValue("x")' })], /email_verified must be used/],
    [withExtraKeys('k8s.io/a'), /extra\[0\]\.key: .*reserved for Kubernetes use/],
    [withExtraKeys('a.kubernetes.io/a'), /extra\[0\]\.key: .*reserved for Kubernetes use/],
    [withExtraKeys('a.b/C'), /extra\[0\]\.key: .*must be lowercase/],
    [withExtraKeys('a_b/c'), /extra\[0\]\.key: .*lowercase RFC 1123 subdomain/],
    [withExtraKeys('a.b/c d'), /extra\[0\]\.key: .*Invalid path/],
    [Array.from({ length: 65 }, () => entry), /jwt: Too many: 65: must have at most 64 items/],
    [
      [{ ...entry, claimValidationRules: [{ expression: 'user.uid' }] }],
      /Rules\[0\]\.expression: .*reference to 'user'/,
    ],
    [[{ ...entry, claimValidationRules: [{ requiredValue: 'x' }] }], /claim or expression is required/],
    [
      [{ ...entry, claimValidationRules: [{ claim: 'a', message: 'x' }] }],
      /message: .*may not be specified when claim is set/,
    ],
    [
      [{ ...entry, userValidationRules: [{ expression: 'claims.a' }] }],
      /Rules\[0\]\.expression: .*reference to 'claims'/,
    ],
    [[{ ...entry, userValidationRules: [{ message: 'a' }] }], /userValidationRules\[0\]\.expression: .*[Rr]equired/],
    [[{ ...entry, zork: 1 }], /jwt\[0\]\.zork: .*unknown field/],
  ];
  for (const [jwt, message] of faults) {
    it(`is refused: ${message.source}`, () => assert.rejects(() => parse(jwt), message));
  }

  it('is refused with unknown fields, of another kind, or if it is no YAML', async () => {
    await assert.rejects(() => parse([], { zork: {} }), /zork: .*unknown field/);
    await assert.rejects(() => parse([], { kind: 'Other' }), /kind AuthenticationConfiguration of .* was expected/);
    await assert.rejects(() => parseText('{'), /not valid YAML/);
  });
});
