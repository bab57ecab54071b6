import assert from 'node:assert/strict';
import { policyErrors, unknownPolicyFields } from '../../../src/audit/read-policy.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const errorsOf = (policy: JsonObject): readonly string[] =>
  policyErrors(policy).map(({ field, message }) => `${field}: ${message}`);

const stages = 'RequestReceived,ResponseStarted,ResponseComplete,Panic';

describe('policyErrors', () => {
  it('reports all errors, as kube-apiserver does', () => {
    const errors = errorsOf({
      omitStages: ['X'],
      rules: [
        { level: 'Foo' },
        {
          level: 'Metadata',
          nonResourceURLs: ['/a*b', 'x', '*', '', '*a'],
          resources: [{ group: 'a_b', resources: ['pods'] }],
        },
        { resources: [{ group: '', resourceNames: ['a'] }], omitStages: ['Panic', 'Foo'] },
        { level: 'Metadata', namespaces: ['a'], nonResourceURLs: ['/x'], omitStages: ['Y'] },
      ],
    });
    assert.deepEqual(
      errors.map((text) => text.replace(/: a lowercase RFC 1123 subdomain.*/, ': not a subdomain')),
      [
        `omitStages[0]: Invalid value: "X": allowed stages are ${stages}`,
        'rules[0].level: Unsupported value: "Foo": supported values: "None", "Metadata", "Request", "RequestResponse"',
        `rules[1].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
        `rules[1].nonResourceURLs[1]: Invalid value: "x": non-resource URL rules must begin with a '/' character`,
        `rules[1].nonResourceURLs[3]: Invalid value: "": non-resource URL rules must begin with a '/' character`,
        `rules[1].nonResourceURLs[4]: Invalid value: "*a": non-resource URL rules must begin with a '/' character`,
        `rules[1].nonResourceURLs[4]: Invalid value: "*a": non-resource URL wildcards '*' must be the final character of the rule`,
        'rules[1].resources.group: Invalid value: "a_b": not a subdomain',
        'rules[1].nonResourceURLs: Invalid value: ["/a*b","x","*","","*a"]: rules cannot apply to both regular resources and non-resource URLs',
        'rules[2].level: Required value',
        'rules[2].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
        `rules[2].omitStages[1]: Invalid value: "Foo": allowed stages are ${stages}`,
        `rules[3].omitStages[0]: Invalid value: "Y": allowed stages are ${stages}`,
        'rules[3].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    );
  });

  it('reports values of other types than those of their fields, and these alone', () => {
    const errors = errorsOf({
      rules: [
        { level: 'None', verbs: 'get', users: [1], omitManagedFields: 'yes', nonResourceURLs: ['x'] },
        { level: 1, resources: [{ group: '', resources: 'pods' }] },
        { level: 'None', resources: ['pods'], namespaces: null },
      ],
      omitStages: 'Panic',
    });
    assert.deepEqual(errors, [
      'omitStages: Invalid value: "Panic": must be a list of strings',
      'rules[0].verbs: Invalid value: "get": must be a list of strings',
      'rules[0].users: Invalid value: [1]: must be a list of strings',
      'rules[0].omitManagedFields: Invalid value: "yes": must be true or false',
      'rules[1].level: Invalid value: 1: must be a string',
      'rules[1].resources[0].resources: Invalid value: "pods": must be a list of strings',
      'rules[2].resources: Invalid value: ["pods"]: must be a list of objects',
    ]);
    assert.deepEqual(errorsOf({ rules: [null] }), ['rules: Invalid value: [null]: must be a list of objects']);
  });

  it('accepts unknown fields, which are named', () => {
    const policy = { rules: [{ level: 'None', foo: 'bar' }], zz: 1 };
    assert.deepEqual(errorsOf(policy), []);
    assert.deepEqual(unknownPolicyFields(policy), ['zz', 'rules[0].foo']);
  });
});
