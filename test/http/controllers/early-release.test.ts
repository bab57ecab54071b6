import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient, type GenericObject } from '../../../src/client/index.ts';
import { nodes, type Pod, pods, type Service, services } from '../../../src/controllers/resources.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';

const namespace = 'default';
const cronJobs = { group: 'batch', version: 'v1beta1', resource: 'cronjobs' } as const;
const budgets = { group: 'policy', version: 'v1beta1', resource: 'poddisruptionbudgets' } as const;
const slices = { group: 'discovery.cl.io', version: 'v1beta1', resource: 'endpointslices' } as const;

describe('controllers of an early release', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ emulatedRelease: '1.20', controllers: true, nodes: 1 });
    client = createClient(server.connection);
    const labels = { app: 'web' };
    const pod = { metadata: { name: 'web', namespace, labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await until('the default account', () =>
      client
        .resource(pods)
        .create(pod as unknown as Pod)
        .then(
          () => true,
          () => false,
        ),
    );
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const statusOf = async (reference: typeof cronJobs | typeof budgets, name: string) =>
    (await client.resource<GenericObject & { status?: Record<string, unknown> }>(reference).get(name, { namespace }))
      .status ?? {};

  it('use the versions that it serves', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const schedule = { schedule: '@every 1s', jobTemplate: { spec: { template } } };
    await client.resource(cronJobs).create({ metadata: { name: 'timed', namespace }, spec: schedule });
    const selector = { app: 'web' };
    const budget = { maxUnavailable: 1, selector: { matchLabels: selector } };
    await client.resource(budgets).create({ metadata: { name: 'web', namespace }, spec: budget });
    const labels = { 'topology.cluster.io/zone': 'z', 'topology.cluster.io/region': 'r' };
    await client.resource(nodes).patch('node-1', { metadata: { labels } }, { type: 'merge' });
    const service = { metadata: { name: 'web', namespace }, spec: { selector, ports: [{ port: 80 }] } };
    await client.resource(services).create(service as unknown as Service);
    await until('a scheduled Job', async () => 'lastScheduleTime' in (await statusOf(cronJobs, 'timed')));
    await until('a counted budget', async () => 'currentHealthy' in (await statusOf(budgets, 'web')));
    await until('a slice with the pod', async () => {
      const { items } = await client.resource(slices).list({ namespace, labelSelector: 'cluster.io/service-name=web' });
      const [endpoint] = (items[0]?.['endpoints'] ?? []) as { topology?: Record<string, string> }[];
      const topology = { 'cluster.io/hostname': 'node-1', ...labels };
      return isDeepStrictEqual(endpoint?.topology, topology);
    });
  });
});
