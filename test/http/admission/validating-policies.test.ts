import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { type AuditedServer, startAuditedServer } from '../audit/audited-server.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { create, messageOf, policyRule, validatingPolicy, warningsOf, writeMap } from './policy-world.ts';

const policies = '/apis/admissionregistration.cl.io/v1/validatingadmissionpolicies';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a validating policy', () => {
  let world: AuditedServer;
  let server: TestServer;
  before(async () => {
    world = await startAuditedServer({
      store: 'memory',
      emulatedRelease: '1.36',
      authorizationMode: 'RBAC',
      policy: { rules: [{ level: 'Metadata', omitStages: ['RequestReceived'] }] },
    });
    ({ server } = world);
  });
  after(() => world[Symbol.asyncDispose]());

  /** The refusal of a ConfigMap, without the part that all have. */
  async function refusal(name: string, data: Readonly<Record<string, string>> = {}, metadata = {}): Promise<string> {
    const response = await writeMap(server, name, data, metadata);
    assert.equal(response.status, 422, response.text);
    const [policy] = name.split('-');
    const start = `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}-b' denied request: `;
    assert.ok(messageOf(response).startsWith(start), messageOf(response));
    return messageOf(response).slice(start.length);
  }

  async function annotationsOf(response: HttpResponse): Promise<Readonly<Record<string, string>>> {
    const events = await world.events(String(response.headers['audit-id']));
    return events.at(-1)?.annotations ?? {};
  }

  it('lets other requests run between the parameters with which it runs', async () => {
    const metadata = { labels: { turns: 'yes' } };
    for (let index = 0; index < 40; index++) {
      await create(server, configMaps, { metadata: { ...metadata, name: `param-${index}` } });
    }
    await validatingPolicy(server, 'turns', {
      match: { resourceRules: [policyRule(['configmaps'], { resourceNames: ['turns-1'] })] },
      rules: ['object.data.a.split("").all(i, object.data.a.split("").all(j, i + j != params.metadata.name))'],
      spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      binding: { paramRef: { selector: { matchLabels: metadata.labels }, parameterNotFoundAction: 'Deny' } },
    });
    const { result, blockMs } = await measureBlocks(() => writeMap(server, 'turns-1', { a: 'x'.repeat(250) }));
    assert.equal(result.status, 201, result.text);
    assert.ok(blockMs < longestBlockMs, `a turn of ${blockMs} ms`);
  });

  it('refuses an object that breaks a rule, with its message and the Status of kube-apiserver', async () => {
    await validatingPolicy(server, 'plain', {
      rules: [{ expression: 'object.data.size() < 2', message: ' too many ' }, '!has(object.immutable)'],
    });
    assert.equal((await writeMap(server, 'plain-1', { a: '1' })).status, 201);
    const refused = await writeMap(server, 'plain-2', { a: '1', b: '2' });
    const why = "ValidatingAdmissionPolicy 'plain' with binding 'plain-b' denied request: too many";
    assert.deepEqual(refused.body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "plain-2" is forbidden: ${why}`,
      reason: 'Invalid',
      details: { name: 'plain-2', kind: 'configmaps', causes: [{ message: why }] },
      code: 422,
    });
    const immutable = await request(server, 'POST', configMaps, {
      metadata: { name: 'plain-3' },
      data: { a: '' },
      immutable: true,
    });
    assert.match(messageOf(immutable), /denied request: failed expression: !has\(object\.immutable\)$/);
  });

  it('gives the message of an expression and the reason of its rule', async () => {
    const rule = {
      expression: 'object.data.a == "1"',
      messageExpression: '"a is " + object.data.a',
      message: 'other',
      reason: 'Forbidden',
    };
    await validatingPolicy(server, 'said', { rules: [rule] });
    const response = await writeMap(server, 'said-1', { a: '2' });
    assert.deepEqual([response.status, (response.body as { reason: string }).reason], [403, 'Forbidden']);
    assert.match(messageOf(response), /denied request: a is 2$/);
    const lines = await writeMap(server, 'said-2', { a: 'two\nlines' });
    assert.match(messageOf(lines), /denied request: other$/, 'a message has one line');
  });

  it('fails closed or open when an expression fails', async () => {
    await validatingPolicy(server, 'closed', { rules: ['object.data.missing == "1"'] });
    assert.equal(
      await refusal('closed-1', { a: '1' }),
      `expression 'object.data.missing == "1"' resulted in error: no such key: missing`,
    );
    await validatingPolicy(server, 'open', {
      rules: ['object.data.missing == "1"'],
      spec: { failurePolicy: 'Ignore' },
    });
    assert.equal((await writeMap(server, 'open-1', { a: '1' })).status, 201);
  });

  it('warns and records instead of refusing, as its binding says', async () => {
    await validatingPolicy(server, 'soft', {
      rules: ['true', { expression: 'object.data.size() < 1', message: 'has <data>' }],
      binding: { validationActions: ['Warn', 'Audit'] },
    });
    const response = await writeMap(server, 'soft-1', { a: '1' });
    assert.equal(response.status, 201);
    assert.deepEqual(warningsOf(response), [
      "Validation failed for ValidatingAdmissionPolicy 'soft' with binding 'soft-b': has <data>",
    ]);
    assert.equal(
      (await annotationsOf(response))['validation.policy.admission.cl.io/validation_failure'],
      String.raw`[{"message":"has \u003cdata\u003e","policy":"soft","binding":"soft-b","expressionIndex":1,"validationActions":["Warn","Audit"]}]`,
    );
  });

  it('adds audit annotations, joined over its bindings and parameters', async () => {
    await create(server, configMaps, { metadata: { name: 'first-limit', labels: { facts: '' } }, data: { most: '1' } });
    await create(server, configMaps, {
      metadata: { name: 'second-limit', labels: { facts: '' } },
      data: { most: '2' },
    });
    await validatingPolicy(server, 'facts', {
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        auditAnnotations: [
          { key: 'most', valueExpression: '"at most " + params.data.most' },
          { key: 'none', valueExpression: 'null' },
        ],
      },
      binding: {
        paramRef: {
          selector: { matchLabels: { facts: '' } },
          namespace: 'default',
          parameterNotFoundAction: 'Deny',
        },
      },
    });
    const annotations = await annotationsOf(await writeMap(server, 'facts-1'));
    assert.equal(annotations['facts/most'], 'at most 1, at most 2');
    assert.ok(!('facts/none' in annotations));
  });

  it('computes variables once, when a rule reads them, and names those that fail', async () => {
    await validatingPolicy(server, 'vars', {
      spec: {
        variables: [
          { name: 'count', expression: 'object.data.size()' },
          { name: 'double', expression: 'variables.count * 2' },
          { name: 'broken', expression: 'object.data.missing' },
        ],
      },
      rules: [{ expression: 'variables.double <= 2', messageExpression: '"count: " + string(variables.count)' }],
    });
    assert.equal((await writeMap(server, 'vars-1', { a: '1' })).status, 201, 'the broken one is not read');
    assert.equal(await refusal('vars-2', { a: '1', b: '2' }), 'count: 2');
    await validatingPolicy(server, 'failing', {
      spec: { variables: [{ name: 'broken', expression: 'object.data.missing' }] },
      rules: ['variables.broken == ""'],
    });
    assert.equal(
      await refusal('failing-1', { a: '' }),
      `expression 'variables.broken == ""' resulted in error: composited variable "broken" fails to evaluate: no such key: missing`,
    );
  });

  it('uses parameters in the namespace of the object, and reports missing ones', async () => {
    // Parameters are found before conditions are asked.
    await validatingPolicy(server, 'named', {
      match: { resourceRules: [policyRule(['configmaps'], { resourceNames: ['named-1', 'named-2'] })] },
      spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      rules: ['object.data.size() <= int(params.data.most)'],
      binding: { paramRef: { name: 'named-limit', parameterNotFoundAction: 'Deny' } },
    });
    assert.equal(
      await refusal('named-1'),
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
    await create(server, configMaps, { metadata: { name: 'named-limit' }, data: { most: '1' } });
    assert.equal((await writeMap(server, 'named-1', { a: '1' })).status, 201);
    assert.match(await refusal('named-2', { a: '1', b: '2' }), /^failed expression: /);
    await validatingPolicy(server, 'spare', {
      spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      rules: ['false'],
      binding: { paramRef: { name: 'spare-limit', parameterNotFoundAction: 'Allow' } },
    });
    assert.equal((await writeMap(server, 'spare-1')).status, 201);
    await validatingPolicy(server, 'kindless', {
      spec: { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } },
      rules: ['true'],
    });
    // Whatever their conditions say: they could read parameters.
    const response = await writeMap(server, 'kindless-1');
    assert.match(
      messageOf(response),
      /ValidatingAdmissionPolicy 'kindless' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example\.com\/v1, Kind=Limit'$/,
    );
    await request(server, 'DELETE', `${policies}/kindless`);
  });

  it('uses parameters of custom kinds, and sees their changes immediately', async () => {
    await create(server, '/apis/apiextensions.cl.io/v1/customresourcedefinitions', {
      metadata: { name: 'caps.policies.example.com' },
      spec: {
        group: 'policies.example.com',
        scope: 'Cluster',
        names: { plural: 'caps', singular: 'cap', kind: 'Cap', listKind: 'CapList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { most: { type: 'integer', default: 1 } } },
            },
          },
        ],
      },
    });
    const caps = '/apis/policies.example.com/v1/caps';
    await create(server, caps, { apiVersion: 'policies.example.com/v1', kind: 'Cap', metadata: { name: 'a' } });
    await validatingPolicy(server, 'custom', {
      spec: { paramKind: { apiVersion: 'policies.example.com/v1', kind: 'Cap' } },
      rules: [
        {
          expression: 'object.data.size() <= params.most',
          messageExpression: 'params.metadata.name + ": " + string(params.most)',
        },
      ],
      binding: { paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } },
    });
    assert.equal(await refusal('custom-1', { a: '', b: '' }), 'a: 1');
    const patched = await request(
      server,
      'PATCH',
      `${caps}/a`,
      { most: 2 },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(patched.status, 200, patched.text);
    assert.equal((await writeMap(server, 'custom-2', { a: '', b: '' })).status, 201);
  });

  it('asks the authorizers of the server', async () => {
    const rules = [
      'authorizer.group("").resource("secrets").namespace("default").check("get").allowed()',
      'authorizer.path("/healthz").check("get").allowed()',
      '!authorizer.serviceAccount("default", "nobody").group("").resource("pods").check("create").allowed()',
      'authorizer.requestResource.check("delete").allowed()',
    ];
    await validatingPolicy(server, 'rights', { rules });
    assert.equal((await writeMap(server, 'rights-1')).status, 201);
    await create(server, '/apis/rbac.authorization.cl.io/v1/namespaces/default/roles', {
      metadata: { name: 'maps' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
    });
    await create(server, '/apis/rbac.authorization.cl.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'maps' },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'Role', name: 'maps' },
      subjects: [{ apiGroup: 'rbac.authorization.cl.io', kind: 'User', name: 'jane' }],
    });
    const response = await request(
      server,
      'POST',
      configMaps,
      { metadata: { name: 'rights-2' } },
      { 'impersonate-user': 'jane' },
    );
    assert.match(messageOf(response), /failed expression: authorizer\.group\(""\)\.resource\("secrets"\)/);
  });

  it('sees the namespace, and matches labels of the namespace and of the object', async () => {
    await create(server, '/api/v1/namespaces', { metadata: { name: 'strict', labels: { level: 'strict' } } });
    const selected = (key: string, value: string): object => ({ matchLabels: { [key]: value } });
    await validatingPolicy(server, 'spaces', {
      match: { namespaceSelector: selected('level', 'strict'), objectSelector: selected('checked', 'yes') },
      rules: [{ expression: 'false', messageExpression: 'namespaceObject.metadata.name + " " + request.namespace' }],
    });
    const labels = { checked: 'yes' };
    assert.equal((await writeMap(server, 'spaces-1', {}, { labels })).status, 201);
    const strict = '/api/v1/namespaces/strict/configmaps';
    await create(server, strict, { metadata: { name: 'spaces-2' } });
    const refused = await request(server, 'POST', strict, { metadata: { name: 'spaces-3', labels } });
    assert.match(messageOf(refused), /denied request: strict strict$/);
  });

  it('matches the operations, names and sub-resources of its rules, except excluded ones', async () => {
    await validatingPolicy(server, 'ops', {
      match: {
        resourceRules: [policyRule(['configmaps'], { operations: ['DELETE'] })],
        excludeResourceRules: [policyRule(['configmaps'], { operations: ['*'], resourceNames: ['ops-free'] })],
      },
      rules: ['object == null && oldObject.metadata.name == "ops-2"'],
    });
    for (const name of ['ops-1', 'ops-2', 'ops-free']) assert.equal((await writeMap(server, name)).status, 201);
    assert.match(messageOf(await request(server, 'DELETE', `${configMaps}/ops-1`)), /'ops-b' denied request/);
    assert.equal((await request(server, 'DELETE', `${configMaps}/ops-2`)).status, 200);
    assert.equal((await request(server, 'DELETE', `${configMaps}/ops-free`)).status, 200);
  });

  it('sees objects in the version of its rules, unless it wants exact ones', async () => {
    const rules = (version: string, matchPolicy: string): object => ({
      resourceRules: [
        {
          operations: ['CREATE'],
          apiGroups: ['autoscaling'],
          apiVersions: [version],
          resources: ['horizontalpodautoscalers'],
        },
      ],
      matchPolicy,
    });
    const rule = {
      expression: '!has(object.spec.metrics)',
      messageExpression: 'request.kind.version + request.requestKind.version',
    };
    await validatingPolicy(server, 'newer', { match: rules('v2', 'Equivalent'), rules: [rule] });
    await validatingPolicy(server, 'newexact', { match: rules('v2', 'Exact'), rules: ['false'] });
    const scaler = (name: string): object => ({
      metadata: { name },
      spec: {
        maxReplicas: 2,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      },
    });
    const scalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    assert.match(messageOf(await request(server, 'POST', scalers, scaler('newer-1'))), /denied request: v2v1$/);
    await create(server, scalers, scaler('newexact-1'));
  });

  it('decides on dry runs, and never on policies and reviews', async () => {
    await validatingPolicy(server, 'dry', { rules: ['!request.dryRun'] });
    const dry = await request(server, 'POST', `${configMaps}?dryRun=All`, { metadata: { name: 'dry-1' } });
    assert.match(messageOf(dry), /failed expression: !request\.dryRun$/);
    const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    await validatingPolicy(server, 'lockout', {
      match: { resourceRules: [all] },
      rules: ['false'],
      spec: { matchConditions: [] },
    });
    assert.match(messageOf(await writeMap(server, 'any')), /'lockout-b' denied request/);
    const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    await create(server, '/apis/authorization.cl.io/v1/selfsubjectaccessreviews', review);
    const gone = await request(server, 'DELETE', `${policies}/lockout`);
    assert.equal(gone.status, 200, gone.text);
    assert.equal((await writeMap(server, 'any')).status, 201, 'it ends at once');
  });

  it('refuses the deletion of a collection, whose requests have no name', async () => {
    const rules = ['has(request.name)'];
    const match = {
      resourceRules: [policyRule(['configmaps'], { operations: ['DELETE'] })],
      objectSelector: { matchLabels: { kept: 'yes' } },
    };
    await validatingPolicy(server, 'kept', { rules, match, spec: { matchConditions: [] } });
    await create(server, configMaps, { metadata: { name: 'kept', labels: { kept: 'yes' } } });
    const refused = await request(server, 'DELETE', `${configMaps}?labelSelector=kept`);
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /^configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'kept'/);
    assert.equal((await request(server, 'DELETE', `${configMaps}/kept`)).status, 200);
  });

  it('limits the cost of an expression and of a policy', async () => {
    const costly = 'object.data.a.split("").all(x, object.data.a.split("").all(y, x != y + "z"))';
    await validatingPolicy(server, 'costly', { rules: [costly] });
    assert.match(
      await refusal('costly-1', { a: 'x'.repeat(3_000) }),
      /resulted in error: operation cancelled: actual cost limit exceeded$/,
    );
    const dear = 'object.data.a.split("").all(x, object.data.a.split("").exists(y, y == "z") == false)';
    await validatingPolicy(server, 'budget', { rules: Array.from({ length: 40 }, () => dear) });
    assert.equal(
      await refusal('budget-1', { a: 'x'.repeat(250) }),
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  it('can be written only by users who may read its parameters, and so can its binding', async () => {
    const rights = '/apis/rbac.authorization.cl.io/v1';
    await create(server, `${rights}/clusterroles`, {
      metadata: { name: 'policies' },
      rules: [{ apiGroups: ['admissionregistration.cl.io'], resources: ['*'], verbs: ['*'] }],
    });
    await create(server, `${rights}/clusterrolebindings`, {
      metadata: { name: 'policies' },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name: 'policies' },
      subjects: [{ apiGroup: 'rbac.authorization.cl.io', kind: 'User', name: 'joe' }],
    });
    const asJoe = { 'impersonate-user': 'joe' };
    const policy = {
      metadata: { name: 'reading' },
      spec: {
        matchConstraints: { resourceRules: [policyRule(['configmaps'], { resourceNames: ['reading'] })] },
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        validations: [{ expression: 'true' }],
      },
    };
    const refused = await request(server, 'POST', policies, policy, asJoe);
    assert.equal(refused.status, 422, refused.text);
    assert.match(
      messageOf(refused),
      /spec\.paramKind: Forbidden: user "joe" must have "get" permission on all objects of the referenced paramKind \(kind=Secret, apiVersion=v1\)$/,
    );
    await create(server, policies, policy);
    const binding = {
      metadata: { name: 'reading' },
      spec: {
        policyName: 'reading',
        validationActions: ['Deny'],
        paramRef: { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' },
      },
    };
    const bindings = '/apis/admissionregistration.cl.io/v1/validatingadmissionpolicybindings';
    assert.match(
      messageOf(await request(server, 'POST', bindings, binding, asJoe)),
      /spec\.paramRef: Forbidden: user "joe" does not have "get" permission on the object referenced by paramRef$/,
    );
    await create(server, bindings, binding);
  });

  it('counts its refusals and errors', async () => {
    const { text } = await request(server, 'GET', '/metrics');
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith('apiserver_validating_admission_policy_check_total'));
    const series = (policy: string, error: string, action: string): string =>
      `apiserver_validating_admission_policy_check_total{enforcement_action="${action}",error_type="${error}",policy="${policy}",policy_binding="${policy}-b"} 1`;
    for (const line of [
      series('closed', 'invalid_error', 'deny'),
      series('open', 'invalid_error', 'allow'),
      series('soft', 'invalid_error', 'warn'),
      series('soft', 'invalid_error', 'audit'),
      series('budget', 'out_of_budget', 'deny'),
    ]) {
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    }
  });
});
