import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/index.ts';
import {
  type CronJob,
  cronJobs,
  type DaemonSet,
  daemonSets,
  jobs,
  nodes,
  type Pod,
  pods,
} from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const namespace = 'default';

describe('daemon sets and cron jobs on stand-in nodes', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: Client;
  before(async () => {
    // The first release in which a CronJob has a time zone.
    server = await startPlane(3, { emulatedRelease: '1.25' });
    client = createClient(server.connection);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const podsOf = async (app: string): Promise<Pod[]> =>
    (await client.resource(pods).list({ namespace, labelSelector: `app=${app}` })).items;
  const container = { name: 'c', image: 'app:1' };
  const create = (name: string, spec: object = {}) =>
    client.resource(daemonSets).create({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, namespace },
      spec: {
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [container], ...spec } },
      },
    } as unknown as DaemonSet);
  const settled = (name: string, count: number) =>
    until(`${count} pods of ${name}`, async () => {
      const { metadata, status } = await client.resource(daemonSets).get(name);
      const counts = [status?.desiredNumberScheduled, status?.numberAvailable, status?.updatedNumberScheduled];
      return status?.observedGeneration === metadata.generation && counts.every((each) => (each ?? 0) === count);
    });
  const nodesOf = async (app: string) =>
    (await podsOf(app)).map(({ spec }) => spec.nodeName ?? '').toSorted((a, b) => a.localeCompare(b));

  it('run a pod on each node, follow taints and labels of nodes', async () => {
    await create('agent');
    await settled('agent', 3);
    assert.deepEqual(await nodesOf('agent'), ['node-1', 'node-2', 'node-3']);
    const taint = { key: 'example.com/down', effect: 'NoExecute' };
    await client.resource(nodes).patch('node-3', { spec: { taints: [taint] } }, { type: 'merge' });
    await until('the pod to leave', async () => (await nodesOf('agent')).join() === 'node-1,node-2');
    await client.resource(nodes).patch('node-3', { spec: { taints: null } }, { type: 'merge' });
    await settled('agent', 3);
  });

  it('replace pods one by one when the template changes', async () => {
    await create('rolling');
    await settled('rolling', 3);
    const image = 'app:2';
    const change = { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } };
    await client.resource(daemonSets).patch('rolling', change, { type: 'strategic' });
    await settled('rolling', 3);
    const images = (await podsOf('rolling')).map(({ spec }) => spec.containers?.[0]?.image);
    assert.deepEqual(images, [image, image, image]);
  });

  it('start the Jobs of a schedule, and see them end', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    await client.resource(cronJobs).create({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'often', namespace },
      spec: { schedule: '@every 1s', successfulJobsHistoryLimit: 1, jobTemplate: { spec: { template } } },
    } as unknown as CronJob);
    await until('a Job to succeed', async () => {
      const { status } = await client.resource(cronJobs).get('often');
      return status?.lastSuccessfulTime !== undefined;
    });
    await client.resource(cronJobs).patch('often', { spec: { suspend: true } }, { type: 'merge' });
    const { items } = await client.resource(jobs).list({ namespace });
    assert.ok(items.every(({ metadata }) => metadata.name.startsWith('often-')));
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});
