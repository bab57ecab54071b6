import assert from 'node:assert/strict';
import { startServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const budgets = { v1: '/apis/policy/v1/poddisruptionbudgets', v1beta1: '/apis/policy/v1beta1/poddisruptionbudgets' };
const policies = '/apis/policy/v1beta1/podsecuritypolicies';
const cronJobs = { v1: '/apis/batch/v1/cronjobs', v1beta1: '/apis/batch/v1beta1/cronjobs' };
const jobs = '/apis/batch/v1/jobs';

/** Settings, and the status of paths under them. */
const cases: readonly (readonly [settings: string[], paths: Record<string, number>])[] = [
  [[], { [budgets.v1]: 200, [budgets.v1beta1]: 200, [policies]: 200, [cronJobs.v1]: 200 }],
  [['policy/v1beta1=false'], { [budgets.v1]: 200, [budgets.v1beta1]: 404, [policies]: 404 }],
  [['policy/v1=false'], { [budgets.v1]: 404, [budgets.v1beta1]: 200 }],
  [['policy/v1beta1/podsecuritypolicies=false'], { [budgets.v1beta1]: 200, [policies]: 404 }],
  [['api/beta=false'], { [budgets.v1]: 200, [budgets.v1beta1]: 404, [cronJobs.v1beta1]: 404 }],
  [['api/beta=false', 'batch/v1beta1'], { [budgets.v1beta1]: 404, [cronJobs.v1beta1]: 200 }],
  [['api/beta=false', 'batch/v1beta1/cronjobs=true'], { [cronJobs.v1beta1]: 200 }],
  [['api/ga=false', 'v1=true'], { [budgets.v1]: 404, [budgets.v1beta1]: 200, '/api/v1/pods': 200 }],
  [['api/all=false', 'api/v1=true'], { [budgets.v1]: 404, [budgets.v1beta1]: 404, '/api/v1/pods': 200 }],
  [['api/all=true', 'batch/v1/jobs=0'], { [jobs]: 404, [cronJobs.v1]: 200 }],
  [['api/alpha=true'], { [budgets.v1]: 200 }],
  [['networking.cl.io/v1beta1=false'], { '/apis/networking.cl.io/v1/ingresses': 200 }],
];

describe('the runtime configuration', () => {
  for (const [runtimeConfig, paths] of cases) {
    it(`${runtimeConfig.join(',') || 'by default'} decides what is served`, async () => {
      await using server = await startServer({ runtimeConfig });
      for (const [path, status] of Object.entries(paths)) {
        assert.equal((await request(server, 'GET', path)).status, status, path);
      }
    });
  }

  it('without a version of a group leaves the group out of discovery and OpenAPI', async () => {
    await using server = await startServer({
      runtimeConfig: ['autoscaling/v1=false', 'api/beta=false', 'autoscaling/v2=false'],
    });
    const { groups } = (await request(server, 'GET', '/apis')).body as { groups: { name: string }[] };
    assert.ok(groups.length > 5);
    assert.ok(!groups.some(({ name }) => name === 'autoscaling'));
    assert.ok(!(await request(server, 'GET', '/openapi/v2')).text.includes('HorizontalPodAutoscaler'));
  });

  it('keeps the effects of objects whose versions are disabled', async () => {
    await using server = await startServer({ runtimeConfig: ['v1/namespaces=false', 'scheduling.cl.io/v1=false'] });
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const created = await request(server, 'POST', '/api/v1/namespaces/none/pods', pod);
    assert.equal(created.status, 404, created.text);
  });

  it('cannot enable what needs a feature gate, which can be turned on', async () => {
    const capacities = '/apis/storage.cl.io/v1beta1/csistoragecapacities';
    const options = { featureGates: ['CSIStorageCapacity=false'] };
    await using server = await startServer(options);
    assert.equal((await request(server, 'GET', capacities)).status, 404);
    const runtimeConfig = ['storage.cl.io/v1beta1/csistoragecapacities'];
    await assert.rejects(startServer({ ...options, runtimeConfig }), /it needs the feature gate CSIStorageCapacity/);
    await using other = await startServer({ runtimeConfig });
    assert.equal((await request(other, 'GET', capacities)).status, 200);
  });

  it('of features decides about sub-resources', async () => {
    const names = async (featureGates: string[]) => {
      await using server = await startServer({ featureGates });
      const { resources } = (await request(server, 'GET', '/api/v1')).body as { resources: { name: string }[] };
      return resources.map(({ name }) => name);
    };
    assert.ok((await names([])).includes('pods/ephemeralcontainers'));
    assert.ok(!(await names(['AllBeta=false'])).includes('pods/ephemeralcontainers'));
  });

  const refusals: readonly (readonly [settings: string[], message: RegExp])[] = [
    [['policies/v1=false'], /"policies\/v1=false": unknown API group "policies"/],
    [['policy/v2=false'], /the API group "policy" has no version "v2"/],
    [['policy/v1/pods=false'], /policy\/v1 has no resource "pods"/],
    [['policy/v1=no'], /use <key>=true or <key>=false/],
    [['policy'], /use api\/all/],
    [['api/old=false'], /unknown API group "api"/],
    [['batch/v1=false', 'batch/v1'], /contradicts "batch\/v1=false"/],
    [['api/all=false'], /leaves nothing to serve/],
    [['v1=false'], /needs the core version v1 for its own namespaces; enable it by v1=true/],
    [['api/ga=false'], /needs the core version v1/],
    [['api/all=false', 'policy/v1=true'], /needs the core version v1/],
    [['extensions/v1beta1'], /was removed in 1\.22, and the emulated release is 1\.23/],
  ];
  for (const [runtimeConfig, message] of refusals) {
    it(`is refused at the start: ${runtimeConfig.join(',')}`, async () => {
      await assert.rejects(startServer({ runtimeConfig }), message);
    });
  }
});
