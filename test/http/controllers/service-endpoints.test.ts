import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/index.ts';
import { endpointSlices } from '../../../src/controllers/kinds/endpoint-slice.ts';
import { pods } from '../../../src/controllers/kinds/pod.ts';
import { endpoints, type Service, services } from '../../../src/controllers/kinds/service.ts';
import { type Deployment, deployments } from '../../../src/controllers/kinds/deployment.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const namespace = 'default';
const slices = endpointSlices(identifiersOf('cluster'));

describe('endpoints of services', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: Client;
  before(async () => {
    server = await startPlane(1);
    client = createClient(server.connection);
    await client.resource(services).create({
      metadata: { name: 'web', namespace, labels: { team: 'a' } },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'main' }] },
    } as unknown as Service);
    const ports = [{ name: 'main', containerPort: 8080 }];
    await client.resource(deployments).create({
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i', ports }] } },
      },
    } as unknown as Deployment);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const subsetsOf = async (name: string) =>
    (
      await client
        .resource(endpoints)
        .get(name)
        .catch(() => undefined)
    )?.subsets ?? [];
  const slicesOf = async (name: string) =>
    (await client.resource(slices).list({ namespace, labelSelector: `cluster.io/service-name=${name}` })).items;
  const counts = async (): Promise<string> => {
    const [subset] = await subsetsOf('web');
    const ready = (await slicesOf('web'))
      .flatMap((slice) => slice.endpoints ?? [])
      .map((each) => String(each.conditions?.ready));
    return `${subset?.addresses?.length ?? 0} ${subset?.notReadyAddresses?.length ?? 0} ${ready.toSorted((a, b) => a.localeCompare(b)).join()}`;
  };
  const reached = (expected: string) => until(expected, async () => (await counts()) === expected);

  it('follow the pods of a selector, with the ports that they name', async () => {
    await reached('3 0 true,true,true');
    const [subset] = await subsetsOf('web');
    assert.deepEqual(subset?.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    const [address] = subset?.addresses ?? [];
    assert.deepEqual([address?.nodeName, address?.targetRef?.kind], ['node-1', 'Pod']);
    const [slice, ...others] = await slicesOf('web');
    assert.deepEqual([slice?.ports, others.length, slice?.addressType], [subset?.ports, 0, 'IPv4']);
    assert.deepEqual(slice?.metadata.labels, {
      team: 'a',
      'cluster.io/service-name': 'web',
      'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cl.io',
    });
  });

  it('tell ready pods from others', async () => {
    const [pod] = (await client.resource(pods).list({ namespace })).items;
    const asked = (outcome: string) => ({ metadata: { annotations: { 'stand-in.cluster.io/outcome': outcome } } });
    const options = { type: 'merge' as const, namespace };
    await client.resource(pods).patch(pod?.metadata.name ?? '', asked('NotReady'), options);
    await reached('2 1 false,true,true');
    await client.resource(pods).patch(pod?.metadata.name ?? '', asked('Running'), options);
    await reached('3 0 true,true,true');
  });

  it('are empty without pods, and go with their service', async () => {
    await client.resource(deployments).patch('web', { spec: { replicas: 0 } }, { type: 'merge' });
    await reached('0 0 ');
    assert.equal((await slicesOf('web')).length, 1);
    await client.resource(services).delete('web');
    await until('the end', async () => {
      const present = await client.resource(endpoints).list({ namespace });
      return (await slicesOf('web')).length === 0 && !present.items.some(({ metadata }) => metadata.name === 'web');
    });
  });

  it('mirror Endpoints that users write', async () => {
    const service = { metadata: { name: 'own', namespace }, spec: { ports: [{ port: 80 }] } };
    await client.resource(services).create(service as unknown as Service);
    const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }];
    await client.resource(endpoints).create({ metadata: { name: 'own', namespace }, subsets });
    await until('a slice', async () => (await slicesOf('own')).length === 1);
    await client.resource(endpoints).delete('own', { namespace });
    await until('no slice', async () => (await slicesOf('own')).length === 0);
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});
