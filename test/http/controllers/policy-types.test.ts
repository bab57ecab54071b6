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
});
