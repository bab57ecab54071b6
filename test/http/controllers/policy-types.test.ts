import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { create } from '../admission/policy-world.ts';
import { until } from '../until.ts';

const policies = '/apis/admissionregistration.cl.io/v1/validatingadmissionpolicies';

interface PolicyStatus {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly { fieldRef: string; warning: string }[] };
}

describe('the check of types in policies', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      store: 'memory',
      emulatedRelease: '1.36',
      controllers: ['validatingadmissionpolicy-status-controller'],
    });
  });
  after(() => server.stop());

  async function statusOf(name: string): Promise<PolicyStatus> {
    const { body } = await request(server, 'GET', `${policies}/${name}`);
    return (body as { status: PolicyStatus }).status;
  }

  it('warns in the status of fields that the kinds of a policy do not have', async () => {
    const resourceRules = [
      { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'statefulsets'] },
    ];
    await create(server, policies, {
      metadata: { name: 'typed' },
      spec: {
        matchConstraints: { resourceRules },
        variables: [{ name: 'count', expression: 'object.spec.replicas' }],
        validations: [
          { expression: 'variables.count <= 5 && object.metadata.namespace != ""' },
          {
            expression: 'object.spec.serviceName != "" || object.replicas > 1',
            messageExpression: '"at most " + string(object.spec.replicas)',
          },
        ],
      },
    });
    await until('the policy is checked', async () => (await statusOf('typed')).observedGeneration === 1);
    const warnings = (await statusOf('typed')).typeChecking?.expressionWarnings ?? [];
    assert.deepEqual(warnings, [
      {
        fieldRef: 'spec.validations[1].expression',
        warning: [
          "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'serviceName'",
          ' | object.spec.serviceName != "" || object.replicas > 1',
          ' | ...........^',
          "ERROR: <input>:1:40: undefined field 'replicas'",
          ' | object.spec.serviceName != "" || object.replicas > 1',
          ' | .......................................^',
          '',
          "apps/v1, Kind=StatefulSet: ERROR: <input>:1:40: undefined field 'replicas'",
          ' | object.spec.serviceName != "" || object.replicas > 1',
          ' | .......................................^',
          '',
        ].join('\n'),
      },
    ]);
  });

  async function warningsOf(name: string, rules: readonly object[], spec: object): Promise<readonly string[]> {
    const resourceRules = rules.map((rule) => ({ operations: ['CREATE'], ...rule }));
    await create(server, policies, { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...spec } });
    await until('the policy is checked', async () => (await statusOf(name)).observedGeneration === 1);
    const found = (await statusOf(name)).typeChecking?.expressionWarnings ?? [];
    return found.map(({ warning }) =>
      warning
        .split('\n')
        .filter((line) => line.includes('ERROR'))
        .join('; '),
    );
  }

  it('sees no values of several types, no unknown fields, and one level of a type in itself', async () => {
    const schema = 'object.spec.versions[0].schema.openAPIV3Schema';
    const definitions = {
      apiGroups: ['apiextensions.cl.io'],
      apiVersions: ['v1'],
      resources: ['customresourcedefinitions'],
    };
    const expressions = [
      `${schema}.properties["a"].properties["b"] == 1`,
      `${schema}.not.nope == 1`,
      `${schema}.type == 1`,
    ];
    const validations = expressions.map((expression) => ({ expression }));
    assert.deepEqual(await warningsOf('recursive', [definitions], { validations }), [
      "apiextensions.cl.io/v1, Kind=CustomResourceDefinition: ERROR: <input>:1:63: undefined field 'properties'",
      "apiextensions.cl.io/v1, Kind=CustomResourceDefinition: ERROR: <input>:1:51: undefined field 'nope'",
      "apiextensions.cl.io/v1, Kind=CustomResourceDefinition: ERROR: <input>:1:53: found no matching overload for '_==_' applied to '(string, int)'",
    ]);
    const pods = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
    const limits = { validations: [{ expression: 'object.spec.containers[0].resources.limits["cpu"] == "1"' }] };
    assert.deepEqual(await warningsOf('limits', [pods], limits), [
      "/v1, Kind=Pod: ERROR: <input>:1:36: undefined field 'limits'",
    ]);
  });

  it('finds resources by singular names, and for the core group in all groups', async () => {
    const validations = [{ expression: 'object.nope == 1' }];
    const events = { apiGroups: [''], apiVersions: ['v1'], resources: ['Event', 'pods/status', '*'] };
    const rules = [events, { apiGroups: ['apps'], apiVersions: ['*'], resources: ['deployments'] }];
    assert.deepEqual(await warningsOf('events', rules, { validations }), [
      "/v1, Kind=Event: ERROR: <input>:1:7: undefined field 'nope'; events.cl.io/v1, Kind=Event: ERROR: <input>:1:7: undefined field 'nope'",
    ]);
  });

  it('knows no objects in variables, and the identity of objects in custom objects', async () => {
    const properties = {
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    };
    const names = { plural: 'holders', kind: 'Holder', listKind: 'HolderList', singular: 'holder' };
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
    await create(server, '/apis/apiextensions.cl.io/v1/customresourcedefinitions', {
      metadata: { name: 'holders.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    });
    await until(
      'the kind is described',
      async () => (await request(server, 'GET', '/openapi/v3/apis/example.com/v1')).status === 200,
    );
    const variables = [
      { name: 'spec', expression: 'object.spec' },
      { name: 'whole', expression: 'object.spec.template.metadata' },
    ];
    const validations = [
      { expression: 'variables.spec.nope == 1' },
      { expression: 'object.spec.template.metadata.nope == 1' },
      { expression: 'object.spec.template.kind == 1' },
      { expression: 'variables.whole == 1' },
    ];
    const holders = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['holders'] };
    assert.deepEqual(await warningsOf('holders', [holders], { variables, validations }), [
      "example.com/v1, Kind=Holder: ERROR: <input>:1:30: undefined field 'nope'",
      "example.com/v1, Kind=Holder: ERROR: <input>:1:27: found no matching overload for '_==_' applied to '(string, int)'",
    ]);
  });

  it('applies the status', async () => {
    const { body } = await request(server, 'GET', `${policies}/typed`);
    const { managedFields = [] } = (
      body as { metadata: { managedFields?: readonly { manager: string; operation: string; subresource?: string }[] } }
    ).metadata;
    const owner = managedFields.find(({ subresource }) => subresource === 'status');
    assert.deepEqual([owner?.manager, owner?.operation], ['validatingadmissionpolicy-status', 'Apply']);
  });
});
