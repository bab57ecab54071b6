import assert from 'node:assert/strict';
import { describeRule } from '../../../src/authz/rbac/describe-rule.ts';
import { missingRules } from '../../../src/authz/rbac/missing-rules.ts';
import { type PolicyRule, readRules } from '../../../src/authz/rbac/policy-rule.ts';
import { cpuMsOf } from '../cpu-time.ts';

type Rule = Record<string, string[]>;

const pods = (verbs: string[], rest: Rule = {}): Rule => ({ verbs, apiGroups: [''], resources: ['pods'], ...rest });
const paths = (...nonResourceURLs: string[]): Rule => ({ verbs: ['get'], nonResourceURLs });

const cases: Record<string, { held: Rule[]; wanted: Rule[]; missing: string[] }> = {
  'nothing of nothing': { held: [], wanted: [], missing: [] },
  'what nobody has': {
    held: [],
    wanted: [pods(['get', 'list'])],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}'],
  },
  'nothing of the same rule': { held: [pods(['get'])], wanted: [pods(['get'])], missing: [] },
  'nothing of a part of a rule, or of parts of several': {
    held: [pods(['get', 'list'], { resources: ['pods', 'services'] }), pods(['watch'], { resources: ['services'] })],
    wanted: [pods(['list', 'watch'], { resources: ['services'] })],
    missing: [],
  },
  'some verbs, for each resource': {
    held: [pods(['get'], { resources: ['pods', 'services'] })],
    wanted: [pods(['get', 'list', 'watch'], { resources: ['pods', 'services'] })],
    missing: [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}',
      '{APIGroups:[""], Resources:["services"], Verbs:["list" "watch"]}',
    ],
  },
  'combinations that rules have only apart': {
    held: [pods(['get']), pods(['list'], { resources: ['services'] })],
    wanted: [pods(['get', 'list'], { resources: ['pods', 'services'] })],
    missing: [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["services"], Verbs:["get"]}',
    ],
  },
  'nothing with all verbs, groups and resources': {
    held: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    wanted: [pods(['*'], { resources: ['*', 'pods/log'], resourceNames: ['a'] })],
    missing: [],
  },
  'all verbs, of single ones': {
    held: [pods(['get', 'list'])],
    wanted: [pods(['*'])],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  },
  'sub-resources that no pattern covers': {
    held: [pods(['get'], { resources: ['pods', '*/scale'] })],
    wanted: [pods(['get'], { resources: ['deployments/scale', 'pods/log', '*/scale'] })],
    missing: ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
  },
  'all names, of single ones': {
    held: [pods(['get'], { resourceNames: ['a'] })],
    wanted: [pods(['get'])],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
  },
  'other names': {
    held: [pods(['get'], { resourceNames: ['a'] })],
    wanted: [pods(['get'], { resourceNames: ['a', 'b'] })],
    missing: ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
  },
  'paths outside of a prefix': {
    held: [paths('/apis/*')],
    wanted: [paths('/apis/a', '/apis/*', '/api', '*')],
    missing: ['{NonResourceURLs:["/api"], Verbs:["get"]}', '{NonResourceURLs:["*"], Verbs:["get"]}'],
  },
  'paths, of all resources': {
    held: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    wanted: [paths('/healthz')],
    missing: ['{NonResourceURLs:["/healthz"], Verbs:["get"]}'],
  },
};

describe('the rules that a user is missing', () => {
  for (const [name, { held, wanted, missing }] of Object.entries(cases)) {
    it(`are ${name}`, () => {
      const found = missingRules(readRules({ rules: held }), readRules({ rules: wanted }));
      assert.deepEqual(found.map(describeRule).toSorted(), missing.toSorted());
    });
  }

  it('are found quickly in a rule with many combinations', async () => {
    const many = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
    const rule = { verbs: many('v'), apiGroups: many('g'), resources: many('r') };
    const held = [pods(['get']), { verbs: ['*'], apiGroups: ['*'], resources: many('r').slice(1) }];
    let missing: readonly PolicyRule[] = [];
    const cpuMs = await cpuMsOf(() => {
      missing = missingRules(readRules({ rules: held }), readRules({ rules: [rule] }));
    });
    assert.equal(missing.length, 1000);
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`);
    assert.deepEqual(new Set(missing.map(({ resources }) => resources[0])), new Set(['r0']));
  });
});
