import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { create, messageOf } from './policy-world.ts';

const group = '/apis/admissionregistration.cl.io/v1';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

// The shapes are those of the policies that Gateway API, kubescape and Kyverno publish.
describe('a published policy', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
  });
  after(() => server[Symbol.asyncDispose]());

  async function install(kind: 'validating' | 'mutating', name: string, spec: object, binding: object): Promise<void> {
    await create(server, `${group}/${kind}admissionpolicies`, { metadata: { name }, spec });
    const body = { metadata: { name }, spec: { policyName: name, ...binding } };
    await create(server, `${group}/${kind}admissionpolicybindings`, body);
  }

  function deploy(name: string, metadata: object, securityContext?: object): Promise<HttpResponse> {
    const pod = { containers: [{ name: 'a', image: 'a', ...(securityContext ? { securityContext } : {}) }] };
    return request(server, 'POST', deployments, {
      metadata: { name, ...metadata },
      spec: {
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: pod },
      },
    });
  }

  it('keeps definitions of an older bundle out', async () => {
    const name = 'safe-upgrades.gateway.example.com';
    const version = "object.metadata.annotations['example.com/bundle-version']";
    const rule = { apiGroups: ['apiextensions.cl.io'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'] };
    await install(
      'validating',
      name,
      {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [{ ...rule, resources: ['*'] }] },
        validations: [
          {
            expression:
              "object.spec.group != 'gateway.example.com' || (has(object.metadata.annotations) && " +
              "object.metadata.annotations.exists(k, k == 'example.com/bundle-version') && " +
              `!matches(${version}, 'v1.[0-3].\\\\d+') && !matches(${version}, 'v0'))`,
            message: 'Older versions are prohibited.',
            reason: 'Invalid',
          },
          { expression: "oldObject == null || object.spec.group != 'gateway.example.com' || has(oldObject.spec)" },
        ],
      },
      {
        validationActions: ['Deny'],
        matchResources: { resourceRules: [{ ...rule, resources: ['customresourcedefinitions'] }] },
      },
    );
    const define = (bundle?: string, host = 'gateway.example.com'): Promise<HttpResponse> =>
      request(server, 'POST', '/apis/apiextensions.cl.io/v1/customresourcedefinitions?dryRun=All', {
        metadata: {
          name: `routes.${host}`,
          ...(bundle === undefined ? {} : { annotations: { 'example.com/bundle-version': bundle } }),
        },
        spec: {
          group: host,
          scope: 'Namespaced',
          names: { plural: 'routes', singular: 'route', kind: 'Route', listKind: 'RouteList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      });
    for (const bundle of [undefined, 'v0.8.0', 'v1.3.0']) {
      const refused = await define(bundle);
      assert.equal(refused.status, 422, refused.text);
      assert.ok(messageOf(refused).endsWith('denied request: Older versions are prohibited.'), messageOf(refused));
    }
    assert.equal((await define('v1.5.0')).status, 201);
    assert.equal((await define(undefined, 'other.example.com')).status, 201);
  });

  it('finds the containers of every kind of workload', async () => {
    const workload = (path: string): string =>
      `object.spec.${path}containers + (has(object.spec.${path}initContainers) ? object.spec.${path}initContainers : [])`;
    const rule = (apiGroup: string, resources: readonly string[]): object => ({
      apiGroups: [apiGroup],
      apiVersions: ['v1'],
      operations: ['CREATE', 'UPDATE'],
      resources,
    });
    await install(
      'validating',
      'kubescape-c-0016',
      {
        matchConstraints: {
          resourceRules: [
            rule('', ['pods', 'pods/ephemeralcontainers']),
            rule('apps', ['deployments', 'replicasets']),
            rule('batch', ['cronjobs']),
          ],
        },
        variables: [
          {
            name: 'containers',
            expression:
              `object.kind == 'Pod' ? ${workload('')} : object.kind in ['Deployment', 'ReplicaSet'] ? ` +
              `${workload('template.spec.')} : ${workload('jobTemplate.spec.template.spec.')}`,
          },
        ],
        validations: [
          {
            expression:
              'variables.containers.all(container, has(container.securityContext) && ' +
              'has(container.securityContext.allowPrivilegeEscalation) && ' +
              '!container.securityContext.allowPrivilegeEscalation)\n',
            messageExpression: "object.kind + '/' + object.metadata.name + ' may escalate'",
          },
        ],
      },
      {
        validationActions: ['Deny'],
        matchResources: { objectSelector: { matchLabels: { tested: 'yes' } } },
      },
    );
    const labels = { labels: { tested: 'yes' } };
    const refused = await deploy('lax', labels);
    assert.ok(messageOf(refused).endsWith('denied request: Deployment/lax may escalate'), messageOf(refused));
    assert.equal((await deploy('strict', labels, { allowPrivilegeEscalation: false })).status, 201);
    assert.equal((await deploy('other', {})).status, 201);
    const job = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
    const cronJob = await request(server, 'POST', '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'nightly', ...labels },
      spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: job } } },
    });
    assert.ok(messageOf(cronJob).endsWith('denied request: CronJob/nightly may escalate'), messageOf(cronJob));
  });

  it('labels objects that have no labels, and others', async () => {
    const matchConstraints = {
      matchPolicy: 'Equivalent',
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
    };
    const fields = { failurePolicy: 'Fail', reinvocationPolicy: 'Never', matchConstraints };
    const isMine = {
      name: 'mine',
      expression: "request.namespace == 'default' && object.metadata.name.startsWith('m-')",
    };
    const patch =
      'has(object.metadata.labels) ?\n' +
      '[JSONPatch{op: "add", path: "/metadata/labels/managed", value: "true"}] :\n' +
      '[JSONPatch{op: "add", path: "/metadata/labels", value: {"managed": "true"}}]\n';
    const merge = 'Object{metadata: Object.metadata{labels: Object.metadata.labels{foo: "bar"}}}';
    const mutations = [
      { patchType: 'JSONPatch', jsonPatch: { expression: patch } },
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: merge } },
    ];
    await install('mutating', 'mpol-add-labels', { ...fields, matchConditions: [isMine], mutations }, {});
    const labelsOf = ({ body, text }: HttpResponse): unknown => {
      const { metadata } = body as { readonly metadata?: { readonly labels?: unknown } };
      return metadata?.labels ?? text;
    };
    assert.deepEqual(labelsOf(await deploy('m-bare', {})), { foo: 'bar', managed: 'true' });
    const labelled = await deploy('m-labelled', { labels: { a: 'b' } });
    assert.deepEqual(labelsOf(labelled), { a: 'b', foo: 'bar', managed: 'true' });
  });
});
