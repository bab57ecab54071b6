import assert from 'node:assert/strict';
import { builtInResources, type Client, createClient, type Lease } from '../../../src/client/index.ts';
import { type Deployment, deployments, nodes, type Pod, pods } from '../../../src/controllers/resources.ts';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';

const namespace = 'default';

describe('stand-in nodes that are told to fail', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    const controllerOptions = {
      'node-monitor-period': 100,
      'node-eviction-rate': 100,
      'node-monitor-grace-period': 20_000,
    };
    server = await startServer({ controllers: true, nodes: 2, controllerOptions });
    client = createClient(server.connection);
    const labels = { app: 'web' };
    // The tolerations that admission adds last five minutes.
    const tolerations = ['not-ready', 'unreachable'].map((name) => ({
      key: `node.cluster.io/${name}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 0,
    }));
    await client.resource(deployments).create({
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 4,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }], tolerations } },
      },
    } as unknown as Deployment);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const podsOn = async (node: string): Promise<Pod[]> =>
    (await client.resource(pods).list({ namespace })).items.filter(({ spec }) => spec.nodeName === node);
  const tell = (outcome: string | null) =>
    client
      .resource(nodes)
      .patch('node-1', { metadata: { annotations: { 'stand-in.cluster.io/outcome': outcome } } }, { type: 'merge' });
  const readiness = async () =>
    (await client.resource(nodes).get('node-1')).status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const running = (node: string, count: number) =>
    until(`${count} pods on ${node}`, async () => (await podsOn(node)).filter(isReady).length === count);

  it('lose their pods when they are not ready, and get pods again when they are', async () => {
    await running('node-1', 2);
    await tell('NotReady');
    await running('node-2', 4);
    assert.equal(await readiness(), 'False');
    await tell(null);
    await until('a ready node', async () => (await readiness()) === 'True');
    const { spec } = await client.resource(deployments).get('web', { namespace });
    await client
      .resource(deployments)
      .update({ metadata: { name: 'web', namespace }, spec: { ...spec, replicas: 8 } } as Deployment);
    await running('node-1', 4);
  });

  it('renew their leases in step with the grace period of the controllers', async () => {
    const leases = client.resource<Lease>({ group: 'coordination.cl.io', version: 'v1', resource: 'leases' });
    const { spec } = await leases.get('node-2', { namespace: 'cl-node-lease' });
    assert.equal(spec?.leaseDurationSeconds, 20);
  });

  it('report annotations that they do not know as Events of the pod or node', async () => {
    const annotations = { 'stand-in.cluster.io/outcome': 'Sucess' };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await client
      .resource(pods)
      .create({ metadata: { name: 'mistaken', namespace, annotations }, spec } as unknown as Pod);
    await tell('Broken');
    const { events } = builtInResources('cluster');
    const messagesOf = async (kind: string) => {
      const fieldSelector = `reason=UnknownAnnotation,involvedObject.kind=${kind}`;
      return (await client.resource(events).list({ fieldSelector })).items.map(({ message }) => message);
    };
    await until('both Events', async () => (await messagesOf('Pod')).length + (await messagesOf('Node')).length === 2);
    assert.match(
      (await messagesOf('Pod')).join(),
      /^annotation stand-in\.cluster\.io\/outcome: "Sucess" is not one of/,
    );
    assert.match(
      (await messagesOf('Node')).join(),
      /"Broken" is not one of Ready, NotReady, MemoryPressure, DiskPressure, PIDPressure, Lost, Staged$/,
    );
    await tell(null);
    await client.resource(pods).delete('mistaken', { namespace, gracePeriodSeconds: 0 });
  });

  it('run no pods while they are lost, and report again when they are back', async () => {
    await tell('Lost');
    // As the controller does when the agent has not been heard of for its grace period.
    const conditions = [{ type: 'Ready', status: 'Unknown' }];
    const options = { type: 'strategic', subresource: 'status' } as const;
    await client.resource(nodes).patch('node-1', { status: { conditions } }, options);
    await running('node-2', 8);
    // Its agent does not end the pods that are deleted.
    assert.ok((await podsOn('node-1')).every(({ metadata }) => metadata.deletionTimestamp));
    await tell(null);
    await until('a ready node', async () => (await readiness()) === 'True');
    await until('no pod of before', async () => (await podsOn('node-1')).length === 0);
  });
});
