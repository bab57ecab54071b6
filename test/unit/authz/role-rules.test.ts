import assert from 'node:assert/strict';
import type { AuthorizationAttributes } from '../../../src/authz/authorizer.ts';
import { readRules } from '../../../src/authz/rbac/policy-rule.ts';
import { RoleRules, ruleRequest } from '../../../src/authz/rbac/role-rules.ts';
import { attributes } from './attributes.ts';

interface Case {
  readonly rule: Record<string, string[]>;
  readonly allowed: readonly Partial<AuthorizationAttributes>[];
  readonly refused: readonly Partial<AuthorizationAttributes>[];
}

const path = (url: string, verb = 'get') => ({ resourceRequest: false, resource: '', namespace: '', path: url, verb });
const log = { subresource: 'log' };
const deployments = { apiGroup: 'apps', resource: 'deployments' };

const cases: Record<string, Case> = {
  'verbs and resources of a group': {
    rule: { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'services'] },
    allowed: [{}, { verb: 'list' }, { resource: 'services' }],
    refused: [{ verb: 'watch' }, { resource: 'secrets' }, log, { apiGroup: 'apps' }, { verb: '*' }, { resource: '*' }],
  },
  'all verbs': {
    rule: { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
    allowed: [{}, { verb: 'zork' }],
    refused: [log, path('/')],
  },
  'all resources, sub-resources too': {
    rule: { verbs: ['get'], apiGroups: [''], resources: ['*'] },
    allowed: [{}, log, { resource: 'secrets' }],
    refused: [deployments, path('/')],
  },
  'a sub-resource': {
    rule: { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] },
    allowed: [log],
    refused: [{}, { subresource: 'exec' }, { resource: 'pod', subresource: 's/log' }],
  },
  'a sub-resource of all resources': {
    rule: { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
    allowed: [{ subresource: 'scale' }, { ...deployments, subresource: 'scale' }],
    refused: [{}, log, deployments, { resource: 'scale' }],
  },
  'no other pattern in resources': {
    rule: { verbs: ['get'], apiGroups: [''], resources: ['pods/*', 'sec*', '*/*'] },
    allowed: [],
    refused: [{}, log, { resource: 'secrets' }],
  },
  'names of objects': {
    rule: { verbs: ['get', 'create'], apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'] },
    allowed: [{ name: 'a' }, { name: 'b' }],
    refused: [{ name: 'c' }, { name: '' }, { name: '', verb: 'create' }],
  },
  paths: {
    rule: { verbs: ['get'], nonResourceURLs: ['/healthz', '/apis/*', '/logs*'] },
    allowed: [path('/healthz'), path('/apis/'), path('/apis/a/b'), path('/logs'), path('/logs/a')],
    refused: [path('/'), path('/apis'), path('/healthz/'), path('/healthz', 'post'), {}],
  },
  'all paths': {
    rule: { verbs: ['*'], nonResourceURLs: ['*'] },
    allowed: [path('/'), path('/a/b', 'delete')],
    refused: [{}],
  },
};

describe('the rules of a role', () => {
  for (const [name, { rule, allowed, refused }] of Object.entries(cases)) {
    it(`match ${name}`, () => {
      const rules = new RoleRules(readRules({ rules: [{ verbs: [] }, rule] }));
      for (const [expected, requests] of [
        [true, allowed],
        [false, refused],
      ] as const) {
        for (const request of requests) {
          const found = rules.find(ruleRequest(attributes(request)));
          assert.equal(found !== undefined, expected, JSON.stringify(request));
        }
      }
    });
  }
});
