import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, hasReason } from '../../../src/client/index.ts';
import type { Pod } from '../../../src/gen/types/core-v1.ts';
import type { DeviceClaim } from '../../../src/gen/types/resource-v1.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const {
  deviceclasses,
  devicetaintrules,
  events,
  nodes,
  podgroups,
  pods,
  resourceclaims,
  resourceclaimtemplates,
  resourceslices,
} = builtInResources('cluster');
const { labelDomain } = identifiersOf('cluster');
const driver = 'gpu.example.com';

/** A pod whose container uses one claim. */
function podWith(name: string, claim: object): Pod {
  const spec = { containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'gpu' }] } }] };
  return { metadata: { name }, spec: { ...spec, resourceClaims: [{ name: 'gpu', ...claim }] } };
}

describe('claims of devices', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    const devices = [
      { driver, count: 1, name: 'small', attributes: { model: 's', rack: 1 }, capacity: { memory: '16Gi' } },
      { driver, count: 2, name: 'large', attributes: { model: 'l', rack: 2 }, capacity: { memory: '80Gi' } },
    ];
    server = await startServer({
      emulatedRelease: '1.36',
      runtimeConfig: ['resource.cl.io/v1beta2=true', 'scheduling.cl.io/v1alpha2=true'],
      featureGates: ['DRADeviceTaints=true', 'DRADeviceTaintRules=true', 'GenericWorkload=true', 'GangScheduling=true'],
      controllers: true,
      nodes: { count: 1, devices },
    });
    client = createClient(connectionTo(server));
    await client.resource(deviceclasses).create({
      metadata: { name: 'gpu' },
      spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
    });
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const claim = (name: string, devices: DeviceClaim) =>
    client.resource(resourceclaims).create({ metadata: { name }, spec: { devices } });
  const statusOf = async (name: string) => (await client.resource(resourceclaims).get(name)).status;
  const devicesOf = async (name: string) =>
    ((await statusOf(name))?.allocation?.devices?.results ?? []).map(({ device }) => device);
  const isRunning = async (name: string) => (await client.resource(pods).get(name)).status?.phase === 'Running';
  const end = (name: string) => client.resource(pods).delete(name, { gracePeriodSeconds: 0 });
  const isGone = (request: Promise<unknown>) =>
    request.then(
      () => false,
      (error: unknown) => hasReason(error, 'NotFound'),
    );

  it('are published for stand-in nodes, in one slice for each driver', async () => {
    const slices = client.resource(resourceslices);
    await until('the slice', async () => (await slices.list()).items.length === 1);
    const [slice] = (await slices.list({ fieldSelector: 'spec.nodeName=node-1' })).items;
    assert.deepEqual(
      slice?.spec?.devices?.map(({ name }) => name),
      ['small-0', 'large-0', 'large-1'],
    );
  });

  it('are made from templates, allocated by expressions, and deleted with their pod', async () => {
    const expression = `device.capacity["${driver}"].memory.compareTo(quantity("40Gi")) > 0`;
    const requests = [{ name: 'one', exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] } }];
    await client
      .resource(resourceclaimtemplates)
      .create({ metadata: { name: 'big' }, spec: { spec: { devices: { requests } } } });
    await client.resource(pods).create(podWith('templated', { resourceClaimTemplateName: 'big' }));
    await until('the pod to run', () => isRunning('templated'));
    const pod = await client.resource(pods).get('templated');
    const [made] = pod.status?.resourceClaimStatuses ?? [];
    const name = made?.resourceClaimName ?? '';
    assert.match(name, /^templated-gpu-/);
    assert.deepEqual(await devicesOf(name), ['large-0']);
    assert.equal((await statusOf(name))?.reservedFor?.[0]?.uid, pod.metadata?.uid);
    await end('templated');
    await until('the claim to go', () => isGone(client.resource(resourceclaims).get(name)));
  });

  it('keep pods waiting until the devices of others are free', async () => {
    const requests = [{ name: 'all', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }];
    await claim('every', { requests });
    await client.resource(pods).create(podWith('first', { resourceClaimName: 'every' }));
    await until('the first pod', () => isRunning('first'));
    assert.deepEqual((await devicesOf('every')).toSorted(), ['large-0', 'large-1', 'small-0']);
    await claim('single', { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] });
    await client.resource(pods).create(podWith('second', { resourceClaimName: 'single' }));
    await until('the reason', async () => {
      const { conditions = [] } = (await client.resource(pods).get('second')).status ?? {};
      return conditions.some(({ message }) => message?.includes('1 cannot allocate all claims') === true);
    });
    await end('first');
    await until('the second pod', () => isRunning('second'));
    assert.equal((await statusOf('every'))?.allocation, undefined);
    await end('second');
    await until('the devices to be free', async () => (await devicesOf('single')).length === 0);
  });

  it('take alternatives in their order, and devices that match', async () => {
    await claim('pair', {
      requests: [
        {
          name: 'two',
          firstAvailable: [
            { name: 'impossible', deviceClassName: 'gpu', count: 3 },
            { name: 'possible', deviceClassName: 'gpu', count: 2 },
          ],
        },
      ],
      constraints: [{ matchAttribute: `${driver}/rack` }],
    });
    await client.resource(pods).create(podWith('matched', { resourceClaimName: 'pair' }));
    await until('the pod', () => isRunning('matched'));
    const results = (await statusOf('pair'))?.allocation?.devices?.results ?? [];
    assert.deepEqual(
      results.map(({ request, device }) => `${request} ${device}`),
      ['two/possible large-0', 'two/possible large-1'],
    );
    await end('matched');
    await until('the devices to be free', async () => (await devicesOf('pair')).length === 0);
  });

  it('end the pods whose devices get a taint that their claims do not tolerate', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute' }];
    await claim('strict', { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] });
    await claim('patient', { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu', tolerations } }] });
    await client.resource(pods).create(podWith('evicted', { resourceClaimName: 'strict' }));
    await client.resource(pods).create(podWith('kept', { resourceClaimName: 'patient' }));
    await until('the pods', async () => (await isRunning('evicted')) && (await isRunning('kept')));
    const taint = { key: 'broken', effect: 'NoExecute' };
    await client.resource(devicetaintrules).create({
      metadata: { name: 'all' },
      spec: { deviceSelector: { driver }, taint },
    });
    await until('the pod to go', () => isGone(client.resource(pods).get('evicted')));
    assert.equal(await isRunning('kept'), true);
    await client.resource(devicetaintrules).delete('all');
    await end('kept');
  });

  it('are made for extended resources that devices provide', async () => {
    await client.resource(deviceclasses).create({
      metadata: { name: 'named' },
      spec: {
        selectors: [{ cel: { expression: `device.driver == "${driver}"` } }],
        extendedResourceName: 'example.com/gpu',
      },
    });
    const container = (name: string, count: number) => ({
      name,
      image: 'i',
      resources: { requests: { 'example.com/gpu': `${count}` }, limits: { 'example.com/gpu': `${count}` } },
    });
    const spec = { initContainers: [container('first', 3)], containers: [container('c', 2)] };
    await client.resource(pods).create({ metadata: { name: 'extended' }, spec });
    await until('the pod', () => isRunning('extended'));
    const { status } = await client.resource(pods).get('extended');
    const { requestMappings = [], resourceClaimName = '' } = status?.extendedResourceClaimStatus ?? {};
    assert.deepEqual(
      requestMappings.map(({ containerName, requestName }) => `${containerName} ${requestName}`),
      ['c container-1-request-0', 'first container-1-request-0', 'first container-0-request-0'],
    );
    const made = await client.resource(resourceclaims).get(resourceClaimName);
    assert.match(resourceClaimName, /^extended-extended-resources-/);
    assert.deepEqual(
      made.status?.allocation?.devices?.results?.map(({ request, device }) => `${request} ${device}`),
      ['container-0-request-0 small-0', 'container-1-request-0 large-0', 'container-1-request-0 large-1'],
    );
    await end('extended');
    await until('the claim to go', () => isGone(client.resource(resourceclaims).get(resourceClaimName)));
  });

  it('give a shared device to as many pods as it has room for', async () => {
    const shared = 'shared.example.com';
    const requestPolicy = { default: '1Gi', validRange: { min: '1Gi' } };
    await client.resource(resourceslices).create({
      metadata: { name: 'shared' },
      spec: {
        driver: shared,
        pool: { name: 'shared', generation: 1, resourceSliceCount: 1 },
        allNodes: true,
        devices: [
          { name: 'one', allowMultipleAllocations: true, capacity: { memory: { value: '4Gi', requestPolicy } } },
        ],
      },
    });
    const selectors = [{ cel: { expression: `device.driver == "${shared}"` } }];
    await client.resource(deviceclasses).create({ metadata: { name: 'shared' }, spec: { selectors } });
    for (const name of ['half', 'other', 'late']) {
      const capacity = { requests: { memory: '2Gi' } };
      await claim(name, { requests: [{ name: 'one', exactly: { deviceClassName: 'shared', capacity } }] });
      await client.resource(pods).create(podWith(name, { resourceClaimName: name }));
      if (name !== 'late') await until('the pod', () => isRunning(name));
    }
    const [half, other] = await Promise.all(['half', 'other'].map((name) => statusOf(name)));
    const [first, second] = [half, other].map((status) => status?.allocation?.devices?.results?.[0]);
    assert.deepEqual(first?.consumedCapacity, { memory: '2Gi' });
    assert.notEqual(first?.shareID, second?.shareID);
    assert.equal(await isRunning('late'), false);
    await end('half');
    await until('the late pod', () => isRunning('late'));
    for (const name of ['other', 'late']) await end(name);
  });

  it('let no pod of a gang run before all of its claims can be allocated', async () => {
    const gang = { minCount: 3 };
    await client.resource(podgroups).create({ metadata: { name: 'gang' }, spec: { schedulingPolicy: { gang } } });
    const member = (name: string) => {
      const pod = podWith(name, { resourceClaimName: name });
      return { ...pod, spec: { ...pod.spec, schedulingGroup: { podGroupName: 'gang' } } } as Pod;
    };
    const requests = [{ name: 'one', exactly: { deviceClassName: 'gpu' } }];
    await claim('blocker', { requests });
    await client.resource(pods).create(podWith('blocker', { resourceClaimName: 'blocker' }));
    await until('a device to be taken', () => isRunning('blocker'));
    for (const name of ['g1', 'g2', 'g3']) await claim(name, { requests });
    for (const name of ['g1', 'g2']) await client.resource(pods).create(member(name));
    await client.resource(pods).create(member('g3'));
    const scheduled = async () => {
      const { status } = await client.resource(podgroups).get('gang');
      return status?.conditions?.find(({ type }) => type === 'PodGroupScheduled');
    };
    await until('the refusal', async () => (await scheduled())?.status === 'False');
    const places = async () =>
      Promise.all(['g1', 'g2', 'g3'].map(async (name) => (await client.resource(pods).get(name)).spec?.nodeName));
    assert.deepEqual(await places(), [undefined, undefined, undefined]);
    assert.equal((await scheduled())?.message, 'pod group is unschedulable');
    const tries = async () => {
      const { items } = await client.resource(events).list({ fieldSelector: 'reason=FailedScheduling' });
      const ofGang = items.filter(({ involvedObject: { name = '' } }) => /^g\d$/.test(name));
      return ofGang.reduce((sum, { count = 1 }) => sum + count, 0);
    };
    let [seen, same] = [-1, 0];
    await until('an end of the tries', async () => {
      const now = await tries();
      same = now === seen ? same + 1 : 0;
      seen = now;
      return same === 10;
    });
    assert.ok(seen < 30, `${seen} tries without a change`);
    await end('blocker');
    await until('the gang', async () => (await places()).every((name) => name === 'node-1'));
    await until('the report', async () => (await scheduled())?.status === 'True');
    for (const name of ['g1', 'g2', 'g3']) await end(name);
  });

  it('follow the devices that the annotation of a node lists', async () => {
    const annotations = { [`stand-in.${labelDomain}/devices`]: JSON.stringify([{ driver, count: 1, name: 'other' }]) };
    await client.resource(nodes).patch('node-1', { metadata: { annotations } }, { type: 'merge' });
    const slice = async () => (await client.resource(resourceslices).get(`node-1-${driver}`)).spec;
    await until('another device', async () => (await slice())?.devices?.[0]?.name === 'other-0');
    assert.equal((await slice())?.pool?.generation, 2);
  });
});
