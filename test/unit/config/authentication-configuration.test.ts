import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authenticationReader } from '../../../src/config/authentication-configuration.ts';

const group = 'apiserver.config.cl.io';
const url = 'https://issuer.example';
const issuer = { url, audiences: ['a'] };
const claimMappings = { username: { claim: 'sub', prefix: '' } };
const entry = { issuer, claimMappings };

const extra = { key: 'a.b/c', valueExpression: 'claims.a' };
const withMapping = (mapping: object): object => ({ issuer, claimMappings: { ...claimMappings, ...mapping } });
const withUsername = (username: object): object => ({ issuer, claimMappings: { username } });

const directory = mkdtempSync(path.join(tmpdir(), 'authentication-'));
const file = path.join(directory, 'configuration');

async function parseText(text: string) {
  writeFileSync(file, text);
  return authenticationReader(file, { identifiers: 'cluster' })();
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
    const read = authenticationReader(file, { identifiers: 'cluster' });
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

  it('may have none', async () => {
    const { hash, ...rest } = await parse([]);
    assert.deepEqual(rest, { issuers: [], anonymous: undefined });
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
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
    [[{ ...entry, issuer: { ...issuer, url: 'http://a' } }], /issuer\.url: .*must be an https URL/],
    [[{ ...entry, issuer: { ...issuer, url: 'https://a?b' } }], /must not have a query/],
    [[{ ...entry, issuer: { ...issuer, url: 'https://u:p@a' } }], /must not contain a user name/],
    [[entry, entry], /jwt\[1\]\.issuer\.url: .*[Dd]uplicate/],
    [[{ ...entry, issuer: { ...issuer, discoveryURL: `${url}/` } }], /discoveryURL must be different/],
    [[{ ...entry, issuer: { ...issuer, discoveryURL: 'http://a' } }], /discoveryURL: .*must be an https URL/],
    [[{ ...entry, issuer: { url } }], /at least one audience is required/],
    [[{ ...entry, issuer: { url, audiences: ['a', 'b'] } }], /must be MatchAny for multiple audiences/],
    [[{ ...entry, issuer: { ...issuer, audienceMatchPolicy: 'All' } }], /must be empty or MatchAny/],
    [
      [{ ...entry, issuer: { url, audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' } }],
      /audiences\[1\]: .*[Dd]uplicate/,
    ],
    [[{ ...entry, issuer: { ...issuer, certificateAuthority: 'x' } }], /certificateAuthority: .*PEM/],
    [[{ issuer }], /claimMappings\.username: .*claim or expression is required/],
    [[{ issuer, claimMappings: { username: { claim: 'sub' } } }], /username\.prefix: .*prefix is required/],
    [
      [{ issuer, claimMappings: { username: { expression: 'x' } } }],
      /username\.expression: .*undeclared reference to 'x'/,
    ],
    [[withUsername({ expression: 'claims.sub', claim: 'sub', prefix: '' })], /claim and expression can't both be set/],
    [[withUsername({ expression: 'claims.sub', prefix: 'x' })], /prefix can't be set when expression is set/],
    [[withUsername({ expression: 'claims.email' })], /email_verified must be used/],
    [[withMapping({ uid: { expression: '1 +' } })], /uid\.expression: .*compilation failed/],
    [[withMapping({ extra: [{ key: 'a.b/c' }] })], /extra\[0\]\.valueExpression: .*[Rr]equired/],
    [[withMapping({ extra: [{ key: 'c', valueExpression: '""' }] })], /extra\[0\]\.key: .*domain-prefixed/],
    [[withMapping({ extra: [extra, extra] })], /extra\[1\]\.key: .*[Dd]uplicate/],
    [[{ issuer, claimMappings: { ...claimMappings, groups: { prefix: 'x' } } }], /groups\.prefix: .*needs a claim/],
    [
      [{ ...entry, claimValidationRules: [{ expression: 'user.uid' }] }],
      /Rules\[0\]\.expression: .*reference to 'user'/,
    ],
    [[{ ...entry, claimValidationRules: [{ requiredValue: 'x' }] }], /claim or expression is required/],
    [[{ ...entry, claimValidationRules: [{ claim: 'a', message: 'x' }] }], /message can't be set when claim is set/],
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
