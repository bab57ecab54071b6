import assert from 'node:assert/strict';
import { parsePolicyFile } from '../../../../src/authz/abac/parse-policy-file.ts';

const group = 'abac.authorization.cluster.io';
const groups: [string, string] = [group, 'abac.authorization.cl.io'];

/** A line with a versioned policy. */
const versioned = (spec: object): string => JSON.stringify({ apiVersion: `${group}/v1beta1`, kind: 'Policy', spec });

/** The policy that a line stands for, without its empty fields. */
function policyOf(line: string): object {
  const [policy, ...others] = parsePolicyFile(line, groups).policies;
  assert.ok(policy);
  assert.deepEqual(others, []);
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => Boolean(value)));
}

const authenticated = { group: 'system:authenticated' };
const all = { apiGroup: '*', resource: '*', namespace: '*' };

const read: readonly (readonly [line: string, policy: object])[] = [
  [versioned({}), {}],
  [
    versioned({ user: 'bob', apiGroup: 'apps', resource: 'deployments', namespace: 'n', readonly: true }),
    { user: 'bob', apiGroup: 'apps', resource: 'deployments', namespace: 'n', readonly: true },
  ],
  [versioned({ user: '*' }), { user: '*', ...authenticated }],
  [versioned({ group: '*' }), authenticated],
  [versioned({ user: 'bob', group: '*' }), { user: 'bob', ...authenticated }],
  [versioned({ user: null, unknown: 1, nonResourcePath: '/a*' }), { nonResourcePath: '/a*' }],
  ['{}', { ...authenticated, ...all, nonResourcePath: '*' }],
  ['{"user":"*"}', { user: '*', ...authenticated, ...all, nonResourcePath: '*' }],
  ['{"user":"bob"}', { user: 'bob', ...all, nonResourcePath: '*' }],
  ['{"group":"*","readonly":true}', { ...authenticated, ...all, nonResourcePath: '*', readonly: true }],
  ['  {"group":"dev","resource":"pods"}  ', { group: 'dev', ...all, resource: 'pods' }],
  ['{"user":"bob","namespace":"n"}', { user: 'bob', ...all, namespace: 'n' }],
];

const refused: readonly (readonly [text: string, error: RegExp])[] = [
  ['{}\n\n# comment\n{"user":1}', /^line 4: \{"user":1\}: user is not a string$/],
  ['{"readonly":"yes"}', /^line 1: .*: readonly is not true or false$/],
  ['[]', /^line 1: .*: a JSON object was expected$/],
  ['{"user":"a"', /^line 1: /],
  [versioned({ user: 1 }), /: user is not a string$/],
  [versioned([]), /: spec is not an object$/],
  ['{"kind":"Policy"}', /: kind "Policy" of version "" is not known; use kind "Policy" of version "abac\.auth/],
  [
    `{"apiVersion":"${group}/v1","kind":"Policy"}`,
    /: kind "Policy" of version "abac.authorization.cluster.io\/v1" is not/,
  ],
  ['{"apiVersion":"v1","kind":"Pod"}', /: kind "Pod" of version "v1" is not known/],
];

describe('a policy file of ABAC', () => {
  for (const [line, policy] of read) {
    it(`has the policy ${line.trim()}`, () => assert.deepEqual(policyOf(line), policy));
  }

  for (const [text, error] of refused) {
    it(`is refused with ${JSON.stringify(text)}`, () => {
      assert.throws(() => parsePolicyFile(text, groups), { message: error });
    });
  }

  it('may have the other spelling of the group', () => {
    const other = versioned({ user: 'bob' }).replace('cluster.io', 'cl.io');
    assert.deepEqual(policyOf(other), { user: 'bob' });
  });

  it('may have empty lines and comments', () => {
    assert.deepEqual(parsePolicyFile('# one\r\n\r\n  # two\n', groups), { policies: [], hasUnversioned: false });
  });

  it('tells whether a policy has no version', () => {
    assert.equal(parsePolicyFile(versioned({}), groups).hasUnversioned, false);
    assert.equal(parsePolicyFile(`${versioned({})}\n{}`, groups).hasUnversioned, true);
  });
});
